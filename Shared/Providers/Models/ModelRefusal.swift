import Core
import HTTPClient

/// The error of a language model's provider, in any server's form: an object like OpenAI's and
/// Anthropic's, a single text, top-level fields like vLLM's, or a list of validation errors.
///
/// The error's texts may contain parts of the request. So they are examined but never shown to
/// callers.
struct ModelRefusal: Sendable {
  /// The codes in the provider's error, from all its fields. Numeric codes of some servers are
  /// ignored.
  private(set) var codes: Set<String> = []
  /// The fields of the request that the error is about, if the provider reports them outside of the
  /// message.
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

  /// Returns a Boolean value that indicates whether the error names a field of the request.
  func names(_ member: String) -> Bool {
    (parameters.isEmpty ? Self.words(of: message) : parameters).contains(member)
  }

  /// Returns a Boolean value that indicates whether the error's message contains a phrase.
  ///
  /// - Parameter phrase: the phrase in lower case.
  func says(_ phrase: String) -> Bool { message.contains(phrase) }

  /// A Boolean value that indicates whether the prompt and its answer exceed the model's context
  /// window.
  var isTooLong: Bool {
    !codes.isDisjoint(with: ["context_length_exceeded", "exceed_context_size_error"])
      || ["context length", "context size", "context window", "prompt is too long"]
        .contains(where: says)
  }

  /// A Boolean value that indicates whether a content filter rejected the prompt.
  var isFiltered: Bool { codes.contains("content_filter") }

  /// A Boolean value that indicates whether the account has no credit left, so that retries can't
  /// succeed.
  var isOutOfMoney: Bool {
    !codes.isDisjoint(with: ["insufficient_quota", "billing_not_active", "billing_error"])
      || says("credit balance is too low")
  }

  /// A Boolean value that indicates whether the server is still loading the model, as llama.cpp
  /// reports it.
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

  /// A validation error in FastAPI's form.
  private struct Violation: Decodable {
    var message: String?
    var place: [Place]?

    private enum CodingKeys: String, CodingKey {
      case message = "msg"
      case place = "loc"
    }
  }

  /// A step of a path: a name, or an index, which is ignored.
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
