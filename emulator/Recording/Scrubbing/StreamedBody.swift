import HTTPService
import Platform

/// A model's answer as server-sent events. What it says comes in pieces there, cut anywhere: they
/// make sense only together.
struct StreamedBody {
  private enum Line {
    case event(JSONValue)
    /// Empty lines, names of events, `[DONE]`.
    case form(String)
    /// A comment, or an event that was cut off: whatever may be in it.
    case rest(String)
  }

  /// The members of a `delta` that are pieces, with OpenAI and with Anthropic.
  private static let pieces = ["content", "refusal", "text", "partial_json"]

  private let lines: [Line]

  /// nil for a text that is something else.
  init?(_ text: String) {
    var isStream = false
    lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
      .map { scalars in
        let line = String(scalars.last == "\r" ? scalars.dropLast() : scalars)
        guard line.hasPrefix("data:"),
          let event = try? JSONValue(parsing: Data(line.dropFirst(5).utf8)), event.object != nil
        else { return Self.isForm(line) ? .form(line) : .rest(line) }
        isStream = true
        return .event(event)
      }
    guard isStream else { return nil }
  }

  private static func isForm(_ line: String) -> Bool {
    line.isEmpty || line == "data: [DONE]"
      || line.hasPrefix("event: ")
        && line.dropFirst(7).utf8.allSatisfy { byte in
          byte == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        }
  }

  /// What is said, put together: a text for each place where there is one, and each line that is no
  /// event.
  var said: [String] {
    var said = texts.sorted { $0.key < $1.key }.map(\.value.joined)
    for case .rest(let line) in lines { said.append(line) }
    return said
  }

  /// By the place that pieces belong to.
  private var texts: [String: (joined: String, count: Int)] {
    var texts: [String: (joined: String, count: Int)] = [:]
    for case .event(let event) in lines {
      _ = Self.rewriting(event) { place, piece in
        let known = texts[place] ?? ("", 0)
        texts[place] = (known.joined + piece, known.count + 1)
        return piece
      }
    }
    return texts
  }

  /// The same stream with other words, in as many pieces, which are as long as they were.
  ///
  /// - Parameters:
  ///   - said: what becomes of something said.
  ///   - rest: what becomes of an event without its pieces.
  func replacing(
    said: (String) -> String,
    rest: (JSONValue) -> JSONValue
  ) -> String {
    var left = texts.mapValues { (text: said($0.joined)[...], count: $0.count) }
    return lines.map { line in
      switch line {
      case .form(let line): return line
      case .rest(let line): return said(line)
      case .event(let event):
        var lengths: [String: Int] = [:]
        let bare = Self.rewriting(event) { place, piece in
          lengths[place] = piece.count
          return ""
        }
        let changed = Self.rewriting(rest(bare)) { place, _ in
          guard let (text, count) = left[place] else { return "" }
          // The last one has what there is, should the new words be longer.
          let piece = count > 1 ? text.prefix(lengths[place] ?? 0) : text
          left[place] = (text.dropFirst(piece.count), count - 1)
          return String(piece)
        }
        return "data: \(changed.line)"
      }
    }.joined(separator: "\n")
  }

  /// - Parameter change: gets each piece with its place, and makes another of it.
  private static func rewriting(
    _ event: JSONValue,
    _ change: (_ place: String, _ piece: String) -> String
  ) -> JSONValue {
    guard var members = event.object else { return event }
    if let choices = members["choices"]?.array {
      members["choices"] = .array(
        choices.enumerated().map { number, choice in
          guard var members = choice.object else { return choice }
          members["delta"] = rewriting(members["delta"], at: number, change)
          return .object(members)
        }
      )
    }
    let index = members["index"]?.integer.map { Int(clamping: $0) } ?? 0
    members["delta"] = rewriting(members["delta"], at: index, change)
    return .object(members)
  }

  private static func rewriting(
    _ delta: JSONValue?,
    at index: Int,
    _ change: (_ place: String, _ piece: String) -> String
  ) -> JSONValue? {
    guard var members = delta?.object else { return delta }
    for name in pieces {
      guard let piece = members[name]?.string else { continue }
      members[name] = .string(change("\(index) \(name)", piece))
    }
    return .object(members)
  }
}
