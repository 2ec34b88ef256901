import Reactor

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// `reactor`, the command-line tool.
@main
enum Tool {
  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      switch arguments.first {
      case "run": try await RunCommand.run(Array(arguments.dropFirst()))
      default:
        print("usage: reactor run [options]")
        exit(2)
      }
    } catch {
      print("reactor: \(error)")
      exit(1)
    }
  }
}
