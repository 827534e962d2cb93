package import Core

/// The prices of providers, in US dollars per million tokens or translated characters.
///
/// A dollar per million equals a millionth of a dollar for each token or character.
package struct PriceTable: Sendable, Hashable {
  /// The prices of a model, in US dollars per million tokens.
  package struct Model: Sendable, Hashable, Decodable {
    package var input: Double
    /// The price of input that the provider had cached, or `nil` if cached input costs the same as
    /// other input.
    package var cachedInput: Double?
    package var output: Double

    private enum CodingKeys: String, CodingKey, CaseIterable { case input, cachedInput, output }
  }

  /// The models' prices by the provider's name for the model, without the date. A name that ends
  /// with `*` is a prefix.
  var models: [String: Model]
  /// The prices of translation engines per million characters, by names that may end with `*`, too.
  var translation: [String: Double]

  /// Returns the cost of a translated text in millionths of a dollar, or `nil` if the engine has no
  /// price.
  package func cost(ofTranslating characters: Int, by engine: String) -> Int? {
    Self.entry(of: engine, in: translation).map { Self.micros($0 * Double(characters)) }
  }

  /// Returns the cost of a model's answer in millionths of a dollar, or `nil` if the model has no
  /// price.
  ///
  /// - Parameter cachedTokens: the number of the prompt's tokens that the provider had cached.
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

  /// Returns a cost as an integer, or the largest integer for a larger cost.
  private static func micros(_ cost: Double) -> Int { Int(exactly: cost.rounded()) ?? Int.max }

  /// Returns the matching entry with the longest name.
  private static func entry<Price>(of name: String, in prices: [String: Price]) -> Price? {
    prices.filter { fits(name, $0.key) }.max { $0.key.utf8.count < $1.key.utf8.count }?.value
  }

  /// Returns a Boolean value that indicates whether an engine's name is an entry's name, alone or
  /// with a date or `-latest` after it.
  ///
  /// `gpt-4o-audio` doesn't match the entry `gpt-4o`, since it has another price.
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

  /// Creates a table of the standard prices, overridden by those in the variable PRICES.
  ///
  /// The variable is JSON or the path of a JSON file:
  /// `{"models":{"NAME":{"input":0.15,"cachedInput":0.075,"output":0.6}},"translation":{"nmt":20}}`
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
      throw .configuration(
        .failedPrecondition,
        "PRICES: the file can't be read: set a JSON object or the path of a JSON file"
      )
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
      throw .configuration(.invalidArgument, "PRICES: every price must be from 0 to 1000000")
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
