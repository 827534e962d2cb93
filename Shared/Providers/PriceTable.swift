package import Core

/// What providers charge, in US dollars per million: of tokens, or of characters translated. A
/// dollar per million is a millionth of a dollar for each.
package struct PriceTable: Sendable, Hashable {
  /// Of a model, per million tokens.
  package struct Model: Sendable, Hashable, Decodable {
    package var input: Double
    /// Of input that the provider had cached; missing, it costs as all input.
    package var cachedInput: Double?
    package var output: Double

    private enum CodingKeys: String, CodingKey, CaseIterable { case input, cachedInput, output }
  }

  /// By the model's name as the provider tells it, without its date. A name that ends with `*` is
  /// all that begin so.
  var models: [String: Model]
  /// By the engine's name, the same way: dollars per million characters.
  var translation: [String: Double]

  /// What a text of so many characters costs; nil if the engine's price isn't known.
  package func cost(ofTranslating characters: Int, by engine: String) -> Int? {
    Self.entry(of: engine, in: translation).map { Self.micros($0 * Double(characters)) }
  }

  /// What an answer costs; nil if the model's price isn't known.
  ///
  /// - Parameter cachedTokens: how many of the prompt's tokens the provider had cached.
  package func cost(
    of model: String,
    promptTokens: Int,
    cachedTokens: Int,
    completionTokens: Int
  ) -> Int? {
    guard let price = Self.entry(of: model, in: models) else { return nil }
    let cached = min(cachedTokens, promptTokens)
    return Self.micros(
      price.input * Double(promptTokens - cached)
        + (price.cachedInput ?? price.input) * Double(cached)
        + price.output * Double(completionTokens)
    )
  }

  /// A cost that is no number of micros is far too large to be one.
  private static func micros(_ cost: Double) -> Int { Int(exactly: cost.rounded()) ?? Int.max }

  /// The entry with the longest name that fits.
  private static func entry<Price>(of name: String, in prices: [String: Price]) -> Price? {
    prices.filter { fits(name, $0.key) }.max { $0.key.utf8.count < $1.key.utf8.count }?.value
  }

  /// Whether a name is the entry's, with a date or without. `gpt-4o` is not `gpt-4o-audio`, and
  /// costs not the same.
  private static func fits(_ name: String, _ entry: String) -> Bool {
    if entry.hasSuffix("*") { return name.hasPrefix(entry.dropLast()) }
    guard name.hasPrefix(entry) else { return false }
    let rest = name.dropFirst(entry.count)
    return rest.isEmpty || rest == "-latest"
      || rest.hasPrefix("-") && rest.filter(\.isNumber).count == 8
        && rest.allSatisfy { $0 == "-" || $0.isNumber }
  }
}

extension PriceTable {
  private struct Overrides: Decodable {
    var models: [String: Model]?
    var translation: [String: Double]?

    private enum CodingKeys: String, CodingKey, CaseIterable { case models, translation }

    init(from decoder: any Decoder) throws {
      try decoder.refuseUnknownMembers(besides: CodingKeys.self)
      let container = try decoder.container(keyedBy: CodingKeys.self)
      models = try container.decodeIfPresent([String: Model].self, forKey: .models)
      translation = try container.decodeIfPresent([String: Double].self, forKey: .translation)
    }
  }

  /// The standard prices, with those of PRICES instead where it names any:
  /// `{"models":{"NAME":{"input":0.15,"cachedInput":0.075,"output":0.6}},"translation":{"nmt":20}}`,
  /// or the path of a file with it.
  ///
  /// - Throws: a configuration error that names the variable.
  package init(_ variable: String?) throws(StatusError) {
    self = .standard
    guard let variable else { return }
    let text: Data
    if variable.first(where: { !$0.isWhitespace }) == "{" {
      text = Data(variable.utf8)
    } else if let file = try? Data(contentsOf: URL(filePath: variable)) {
      text = file
    } else {
      throw .configuration(.failedPrecondition, "PRICES: the file can't be read")
    }
    let overrides: Overrides
    do throws(StatusError) {
      overrides = try JSON.decode(Overrides.self, from: text, what: "the table")
    } catch {
      throw .configuration(.invalidArgument, "PRICES: \(error.message)")
    }
    models.merge(overrides.models ?? [:]) { _, new in new }
    translation.merge(overrides.translation ?? [:]) { _, new in new }
    let prices =
      models.values.flatMap { [$0.input, $0.cachedInput ?? 0, $0.output] } + translation.values
    guard prices.allSatisfy({ (0...1_000_000).contains($0) }) else {
      throw .configuration(.invalidArgument, "PRICES: a price is negative or not of this world")
    }
  }
}

extension PriceTable.Model {
  package init(from decoder: any Decoder) throws {
    try decoder.refuseUnknownMembers(besides: CodingKeys.self)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    input = try container.decode(Double.self, forKey: .input)
    cachedInput = try container.decodeIfPresent(Double.self, forKey: .cachedInput)
    output = try container.decode(Double.self, forKey: .output)
  }
}
