import Core
import Delivery
import Providers

/// The usage and cost of a provider's response.
struct ProviderCharge: Encodable {
  /// The model or translator that answered.
  var engine: String
  var promptTokens: Int?
  var completionTokens: Int?
  /// The number of translated characters.
  var characters: Int?
  /// The cost in millionths of a US dollar, or `nil` if the engine's price is unknown.
  var costMicros: Int?

  /// Creates the charge of a call, or returns `nil` if the response has no usage or isn't a
  /// success.
  init?(_ call: ProviderCall, prices: PriceTable?) {
    guard let status = call.status, (200...299).contains(status) else { return nil }
    switch call.provider {
    case "openai", "anthropic": self.init(model: call, prices: prices)
    case "translation": self.init(translation: call, prices: prices)
    default: return nil
    }
  }

  private init?(model call: ProviderCall, prices: PriceTable?) {
    var engine: String?
    var usage: JSONObject = [:]
    for answer in Self.answers(call.response) {
      // In the first event of an Anthropic stream, `message` contains the model and the usage.
      engine = engine ?? answer["model"]?.string ?? answer["message"]?["model"]?.string
      let told = answer["usage"]?.object ?? answer["message"]?["usage"]?.object
      usage.merge(told ?? [:]) { $1 }
    }
    guard let engine else { return nil }
    let cached =
      usage["cache_read_input_tokens"]?.count
      ?? usage["prompt_tokens_details"]?["cached_tokens"]?.count ?? 0
    // Anthropic's `input_tokens` leaves out cached tokens; OpenAI's `prompt_tokens` includes them.
    let input = usage["input_tokens"]?.count.map { $0 + cached } ?? usage["prompt_tokens"]?.count
    guard let input,
      let output = (usage["output_tokens"] ?? usage["completion_tokens"])?.count
    else { return nil }
    self.engine = engine
    promptTokens = input
    completionTokens = output
    costMicros = prices?.cost(
      of: engine,
      promptTokens: input,
      cachedTokens: cached,
      completionTokens: output
    )
  }

  private init?(translation call: ProviderCall, prices: PriceTable?) {
    guard !call.path.hasSuffix("/detect"), call.request.isWhole, call.response.isWhole,
      let request = try? JSONValue(parsing: call.request.bytes),
      let answer = try? JSONValue(parsing: call.response.bytes),
      let texts = request["q"] ?? request["contents"]
    else { return nil }
    let list = texts.array?.compactMap(\.string) ?? [texts.string].compactMap(\.self)
    let translations = answer["data"]?["translations"] ?? answer["translations"]
    let model = translations?.array?.first?["model"] ?? answer["model"]?.array?.first
    let standard = translations == nil ? "libretranslate" : "nmt"
    let characters = list.reduce(0) { $0 + $1.unicodeScalars.count }
    engine = model?.string?.split(separator: "/").last.map(String.init) ?? standard
    self.characters = characters
    costMicros = prices?.cost(ofTranslating: characters, by: engine)
  }

  /// Returns the response's JSON, or the JSON of each event in a stream.
  private static func answers(_ body: ProviderCall.Body) -> [JSONValue] {
    if body.isWhole, let answer = try? JSONValue(parsing: body.bytes) { return [answer] }
    let lines = [body.bytes, body.tail].flatMap { $0.split(separator: UInt8(ascii: "\n")) }
    return lines.compactMap { line in
      let prefix = Data("data:".utf8)
      guard line.starts(with: prefix) else { return nil }
      return try? JSONValue(parsing: Data(line.dropFirst(prefix.count)))
    }
  }
}

extension JSONValue {
  fileprivate var count: Int? {
    if case .integer(let number) = self { Int(exactly: number) } else { nil }
  }
}
