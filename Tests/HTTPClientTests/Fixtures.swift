import HTTPClient

extension HTTPRequest {
  static func get(_ url: String) -> HTTPRequest { HTTPRequest(method: "GET", url: url) }
}
