import Foundation
import Reactor
import Signaling

/// Whether the platform's HTTP answers at all, whatever it says.
enum PlatformCheck {
  static func check(_ apiURL: String) async -> Finding {
    let name = "platform"
    guard let url = URL(string: apiURL), url.scheme == "http" || url.scheme == "https" else {
      return Finding(name, .broken, "'\(apiURL)' is no http or https URL")
    }
    let transport = CurlTransport()
    defer { transport.close() }
    do {
      let (head, body) = try await transport.send(HTTPRequest(method: "GET", url: url), timeout: .seconds(10))
      body.close()
      return Finding(name, .ok, "\(apiURL) answers (HTTP \(head.status))")
    } catch {
      return Finding(
        name, .broken,
        "\(apiURL) does not answer: \(error). Check the address, the name service, and whether a proxy is needed "
          + "(https_proxy)")
    }
  }
}
