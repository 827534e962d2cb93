import Core
import HTTPClient

/// The error of a language model's provider, in any of the forms that servers have: OpenAI's and
/// Anthropic's object, one text, vLLM's members at the top, a list of what didn't validate.
///
/// The texts may echo what was sent: they are looked at, never passed on.
struct ModelRefusal: Sendable {
  /// How the provider calls the error, wherever it says so. Some servers have numbers there, which
  /// say nothing.
  private(set) var codes: Set<String> = []
  /// The members of the request that it is about, if the provider says so apart from its message.
  private var parameters: Set<String> = []
  private var message = ""

  init(_ response: HTTPResponse) {
    guard let body = try? JSON.decode(Body.self, from: response.body, what: "the error") else {
      return
    }
    codes = body.codes
    parameters = Self.words(of: body.parameters.joined(separator: " ").lowercased())
    message = body.message.lowercased()
  }

  /// Whether a member of the request is named.
  func names(_ member: String) -> Bool {
    (parameters.isEmpty ? Self.words(of: message) : parameters).contains(member)
  }

  /// - Parameter phrase: in small letters.
  func says(_ phrase: String) -> Bool { message.contains(phrase) }

  /// The prompt and its answer are more than the model can have before it.
  var isTooLong: Bool {
    !codes.isDisjoint(with: ["context_length_exceeded", "exceed_context_size_error"])
      || ["context length", "context size", "context window", "prompt is too long"]
        .contains(where: says)
  }

  /// A filter before the model declined.
  var isFiltered: Bool { codes.contains("content_filter") }

  /// No waiting mends it: the account has no money.
  var isOutOfMoney: Bool {
    !codes.isDisjoint(with: ["insufficient_quota", "billing_not_active", "billing_error"])
      || says("credit balance is too low")
  }

  /// The server has yet to read the model, as llama.cpp's says.
  var isLoading: Bool { says("loading model") }

  private static func words(of text: String) -> Set<String> {
    Set(text.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init))
  }
}

private struct Body: Decodable {
  var codes: Set<String> = []
  var parameters: [String] = []
  var message = ""

  private enum Key: String, CodingKey { case error, message, type, code, param, detail }

  /// What didn't validate, as FastAPI writes it.
  private struct Violation: Decodable {
    var message: String?
    var place: [Place]?

    private enum CodingKeys: String, CodingKey {
      case message = "msg"
      case place = "loc"
    }
  }

  /// A step of a path: a name, or an index that says nothing here.
  private struct Place: Decodable {
    var name: String?

    init(from decoder: any Decoder) throws {
      name = try? decoder.singleValueContainer().decode(String.self)
    }
  }

  init(from decoder: any Decoder) throws {
    let whole = try decoder.container(keyedBy: Key.self)
    let error = (try? whole.nestedContainer(keyedBy: Key.self, forKey: .error)) ?? whole
    func text(_ key: Key) -> String? { try? error.decodeIfPresent(String.self, forKey: key) }
    codes = Set([text(.type), text(.code)].compactMap(\.self))
    parameters = [text(.param)].compactMap(\.self).filter { !$0.isEmpty }
    message = text(.message) ?? text(.error) ?? text(.detail) ?? ""
    guard let violations = try? whole.decode([Violation].self, forKey: .detail) else { return }
    parameters += violations.flatMap { $0.place ?? [] }.compactMap(\.name)
    message += violations.compactMap(\.message).joined(separator: " ")
  }
}
