import Core

/// The members of a response that a client asks for with the query's field `fields`, such as
/// `items(name,size),nextPageToken` or `items/name`.
struct ResponseFields: Sendable {
  private static let maximumBytes = 4 << 10
  private static let maximumDepth = 10

  /// The members by name, each with those within it. An object without members stands for all.
  private indirect enum Selection {
    case all
    case members([ByteKey: Selection])
  }

  private let selection: [ByteKey: Selection]

  /// Creates a selection, or returns `nil` if the text selects everything.
  ///
  /// - Throws: An error if the text has another form.
  init?(_ text: String) throws(StorageError) {
    guard !text.isEmpty else { return nil }
    var rest = Array(text.utf8)[...]
    guard text.utf8.count <= Self.maximumBytes, let members = Self.members(&rest, depth: 0),
      rest.isEmpty
    else {
      throw .invalid("Invalid field selection: fields has another form than items(name),kind")
    }
    guard members["*"] == nil else { return nil }
    selection = members
  }

  private static func members(_ text: inout ArraySlice<UInt8>, depth: Int) -> [ByteKey: Selection]?
  {
    guard depth < maximumDepth else { return nil }
    var members: [ByteKey: Selection] = [:]
    while true {
      guard let (name, selection) = member(&text, depth: depth) else { return nil }
      members[name] = merged(members[name], selection)
      guard text.first == UInt8(ascii: ",") else { return members }
      text.removeFirst()
    }
  }

  private static func member(
    _ text: inout ArraySlice<UInt8>,
    depth: Int
  ) -> (ByteKey, Selection)? {
    let name = text.prefix { !"/(),".utf8.contains($0) }
    guard !name.isEmpty, depth < maximumDepth else { return nil }
    text = text.dropFirst(name.count)
    let key = ByteKey(String(decoding: name, as: UTF8.self))
    switch text.first {
    case UInt8(ascii: "/"):
      text.removeFirst()
      guard let (inner, selection) = member(&text, depth: depth + 1) else { return nil }
      return (key, inner == "*" ? .all : .members([inner: selection]))
    case UInt8(ascii: "("):
      text.removeFirst()
      guard let inner = members(&text, depth: depth + 1), text.first == UInt8(ascii: ")") else {
        return nil
      }
      text.removeFirst()
      return (key, inner["*"] == nil ? .members(inner) : .all)
    default: return (key, .all)
    }
  }

  private static func merged(_ old: Selection?, _ new: Selection) -> Selection {
    guard case .members(let left)? = old, case .members(let right) = new else {
      return old == nil ? new : .all
    }
    return .members(left.merging(right) { merged($0, $1) })
  }

  /// Returns the selected members of a value.
  func select(from value: JSONValue) -> JSONValue { Self.select(selection, from: value) }

  private static func select(
    _ selection: [ByteKey: Selection],
    from value: JSONValue
  ) -> JSONValue {
    switch value {
    case .array(let values): return .array(values.map { select(selection, from: $0) })
    case .object(let members):
      var selected: JSONObject = [:]
      for (name, inner) in selection {
        guard let member = members[name] else { continue }
        switch inner {
        case .all: selected[name] = member
        case .members(let names): selected[name] = select(names, from: member)
        }
      }
      return .object(selected)
    default: return value
    }
  }
}
