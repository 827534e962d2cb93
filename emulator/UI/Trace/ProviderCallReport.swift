import Core
import Delivery
import Providers

/// A request to a provider in the JSON form of the pages' API.
struct ProviderCallReport: Encodable {
  var provider: String
  var method: String
  var path: String
  /// The HTTP status, or `nil` if the connection was closed.
  var status: Int?
  /// The request's body as JSON or text, or `nil` if it is empty or may contain a key.
  ///
  /// A long body is truncated and returned as text.
  var request: JSONValue?
  /// The response's body, in the same form.
  var response: JSONValue?
  /// The full size of the request's body.
  var requestBytes: Int
  /// The full size of the response's body.
  var responseBytes: Int
  var charge: ProviderCharge?

  init(_ call: ProviderCall, prices: PriceTable?) {
    provider = call.provider
    method = call.method
    path = call.path
    status = call.status
    request = Self.shown(call.request)
    response = Self.shown(call.response)
    requestBytes = call.request.count
    responseBytes = call.response.count
    charge = ProviderCharge(call, prices: prices)
  }

  /// The name of the field with the key in a request to LibreTranslate.
  private static let key = "api_key"

  /// Returns a body without its key, or `nil` if the body is empty or may still contain a key.
  private static func shown(_ body: ProviderCall.Body) -> JSONValue? {
    guard !body.bytes.isEmpty else { return nil }
    if body.isWhole, let json = try? JSONValue(parsing: body.bytes) {
      guard var members = json.object else { return json }
      members[key] = nil
      return .object(members)
    }
    let text = String(decoding: body.bytes, as: UTF8.self)
    return text.contains(key) ? nil : .string(text)
  }
}
