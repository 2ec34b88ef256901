import ReactorToolSupport
import Testing

struct CommandLineTests {
  private static let known: [CommandLineOptions.Option] = [
    .init("model", value: "NAME", help: "the model"), .init("local", help: "a flag"),
    .init("seconds", value: "N", help: "how long"),
    .init("command", value: "NAME", repeats: true, takesObject: true, help: "a command"),
  ]

  private func parse(_ arguments: String...) throws -> CommandLineOptions {
    try CommandLineOptions(arguments, known: CommandLineTests.known)
  }

  private func complaint(_ arguments: String...) -> String? {
    do {
      _ = try CommandLineOptions(arguments, known: CommandLineTests.known)
      return nil
    } catch let error as UsageError {
      return error.description
    } catch {
      return "\(error)"
    }
  }

  @Test func `values come as the next word or after an equals sign`() throws {
    #expect(try parse("--model", "a/b").text("model") == "a/b")
    #expect(try parse("--model=a/b=c").text("model") == "a/b=c")
    #expect(try parse("--model=").text("model") == "")
    #expect(try parse("--model", "--local").text("model") == "--local")
  }

  @Test func `flags and positional words are told apart`() throws {
    let options = try parse("one", "--local", "two", "--", "--model")
    #expect(options.has("local") && !options.has("model"))
    #expect(options.positional == ["one", "two", "--model"])
  }

  @Test func `a command takes the JSON object that follows it and repeats in order`() throws {
    let options = try parse(
      "--command", "start", "--command", "set", "{\"a\": 1}", "--command=stop", "{}", "x")
    #expect(options.all("command").map(\.value) == ["start", "set", "stop"])
    #expect(options.all("command").map(\.object) == [nil, "{\"a\": 1}", "{}"])
    #expect(options.positional == ["x"])
  }

  @Test func `what cannot be meant is refused in words`() {
    #expect(complaint("--modle", "x") == "unknown option --modle; did you mean --model?")
    #expect(complaint("--zzz") == "unknown option --zzz")
    #expect(complaint("--model") == "--model needs a value: NAME")
    #expect(complaint("--local=1") == "--local takes no value")
    #expect(complaint("--local", "--local") == "--local was given twice")
    #expect(complaint("--command", "a", "--command", "b") == nil)
  }

  @Test(arguments: ["x", "", "11", "-1", "nan", "inf", "1e400"])
  func `numbers outside their range are refused`(text: String) throws {
    let options = try parse("--seconds=\(text)")
    #expect(throws: UsageError.self) { try options.number("seconds", in: 0...10) }
    #expect(throws: UsageError.self) { try options.integer("seconds", in: 0...10) }
  }

  @Test func `numbers inside their range are read`() throws {
    #expect(try parse("--seconds", "2.5").number("seconds", in: 0...10) == 2.5)
    #expect(try parse("--seconds", "7").integer("seconds", in: 0...10) == 7)
    #expect(try parse().integer("seconds", in: 0...10) == nil)
  }

  @Test func `help lists every option and example`() {
    let page = CommandDescription(
      name: "run", summary: "runs", discussion: "Long.", options: CommandLineTests.known,
      examples: ["reactor run --local"]
    ).help
    #expect(page.hasPrefix("reactor run: runs\n\nLong.\n\nOptions:\n"))
    #expect(page.contains("  --command NAME [JSON]  a command (repeatable)"))
    #expect(page.contains("  --local                a flag"))
    #expect(page.hasSuffix("Examples:\n  reactor run --local"))
  }
}
