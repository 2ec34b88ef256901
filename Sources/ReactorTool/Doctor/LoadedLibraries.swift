import Foundation

/// Whether the C libraries are those of the system, by what this process has mapped.
enum LoadedLibraries {
  private static let wanted: [(file: String, debianPackage: String)] = [
    ("libssl", "libssl-dev"), ("libcrypto", "libssl-dev"), ("libsrtp2", "libsrtp2-dev"),
    ("libvpx", "libvpx-dev"), ("libopus", "libopus-dev"), ("libyuv", "libyuv-dev"),
    ("libspeexdsp", "libspeexdsp-dev"), ("libpng16", "libpng-dev"),
    ("libmicrohttpd", "libmicrohttpd-dev"), ("libcurl", "libcurl4-openssl-dev"),
  ]

  static func check() -> Finding {
    // The kernel makes this file up as it is read: its size says nothing, so it is read to its end.
    guard let data = try? FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/self/maps")).readToEnd()
    else {
      return Finding("libraries", .ok, "this program runs, so its libraries are there")
    }
    let maps = String(decoding: data, as: UTF8.self)
    let paths = maps.split(separator: "\n").compactMap { $0.split(separator: " ").last }
    let names = Set(paths.compactMap { $0.split(separator: "/").last.map(String.init) })
    var present: [String] = []
    var absent: [String] = []
    for library in wanted {
      if let name = names.first(where: {
        $0.hasPrefix(library.file + ".") || $0.hasPrefix(library.file + "-")
      }) {
        present.append(name)
      } else {
        absent.append("\(library.file) (package \(library.debianPackage))")
      }
    }
    guard absent.isEmpty else {
      return Finding(
        "libraries", .warning,
        "not loaded as shared libraries: \(absent.joined(separator: ", ")). That is as it should be in a "
          + "static build; otherwise install the packages and build again")
    }
    return Finding("libraries", .ok, present.joined(separator: ", "))
  }
}
