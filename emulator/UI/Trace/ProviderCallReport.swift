import Core
import Delivery
import Providers

/// A call of a provider as the API shows it.
struct ProviderCallReport: Encodable {
  var provider: String
  var method: String
  var path: String
  /// HTTP's; nil if the connection was cut.
  var status: Int?
  /// JSON, or a text; nil if there is none, or none that may be shown.
  var request: JSONValue?
  var response: JSONValue?
  /// How long they are; what is longer than it is kept is shown as a text that ends early.
  var requestBytes: Int
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

  /// What a LibreTranslate is sent has its key among the members.
  private static let key = "api_key"

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
