package import Core

/// The security rules of a Realtime Database: a tree of rules by path.
package final class DatabaseRules: Sendable {
  /// The rules of one path.
  fileprivate struct Place: Sendable {
    var read: DatabaseRuleExpression?
    var write: DatabaseRuleExpression?
    var validate: DatabaseRuleExpression?
    var indexes: [String] = []
    var children: [ByteKey: Place] = [:]
    /// The rules of all other children, and the name that stands for their key.
    var capture: (name: String, places: [Place])?
  }

  /// The most bytes of the rules' text.
  package static let mostBytes = 1 << 20

  private let root: Place
  /// The text that the rules were compiled from.
  package let source: String

  /// Compiles rules.
  ///
  /// - Throws: `CompilationError` with the places of the errors.
  package init(compiling source: String) throws(CompilationError) {
    guard source.utf8.count <= Self.mostBytes else {
      throw CompilationError([
        Issue(
          .error,
          "The rules have \(source.utf8.count) bytes. The limit is \(Self.mostBytes).",
          at: nil
        )
      ])
    }
    self.source = source
    let text = SourceText(source)
    var compiler = Compiler(text: text)
    root = compiler.compile()
    guard compiler.issues.isEmpty else { throw CompilationError(compiler.issues) }
  }

  // MARK: Compiling

  private struct Compiler {
    private static let readVariables: Set = ["auth", "now", "root", "data", "query"]
    private static let writeVariables: Set = ["auth", "now", "root", "data", "newData"]

    let text: SourceText
    var issues: [Issue] = []

    mutating func compile() -> Place {
      let json: CommentedJSON
      do throws(CommentedJSON.Malformed) {
        json = try CommentedJSON.parse(text)
      } catch {
        report(error.description, at: error.offset)
        return Place()
      }
      guard case .object(let members) = json.value, members.count == 1, members[0].name == "rules"
      else {
        report("The rules must be an object with one member, \"rules\".", at: json.offset)
        return Place()
      }
      return place(members[0].value, captures: [])
    }

    private mutating func report(_ description: String, at offset: Int) {
      let before = text.scalars.prefix(offset)
      let lineStart = before.lastIndex(of: "\n").map { $0 + 1 } ?? 0
      let line = before.count { $0 == "\n" } + 1
      issues.append(
        Issue(
          .error,
          description,
          at: SourceRange(line: line, column: offset - lineStart + 1, start: offset, end: offset)
        )
      )
    }

    private mutating func place(_ json: CommentedJSON, captures: Set<String>) -> Place {
      var place = Place()
      guard case .object(let members) = json.value else {
        report("The rules of a path must be an object.", at: json.offset)
        return place
      }
      for member in members {
        switch member.name {
        case ".read": place.read = rule(member.value, Self.readVariables, captures)
        case ".write": place.write = rule(member.value, Self.writeVariables, captures)
        case ".validate": place.validate = rule(member.value, Self.writeVariables, captures)
        case ".indexOn": place.indexes = indexes(member.value)
        case let name where name.hasPrefix("$"):
          guard name.isCaptureName else {
            report(
              "The name \"\(name)\" needs a letter after $, then letters and digits.",
              at: member.nameOffset
            )
            continue
          }
          guard !captures.contains(name) else {
            report("The name \"\(name)\" is in use above.", at: member.nameOffset)
            continue
          }
          guard place.capture == nil else {
            report("A path can have only one name that begins with $.", at: member.nameOffset)
            continue
          }
          place.capture = (name, [self.place(member.value, captures: captures.union([name]))])
        case let name where name.hasPrefix("."):
          report("There is no setting \"\(name)\".", at: member.nameOffset)
        case let name where name.unicodeScalars.contains(where: \.isBarredFromKeys) || name.isEmpty:
          report("The key \"\(name)\" is not valid.", at: member.nameOffset)
        default:
          place.children[ByteKey(member.name)] = self.place(member.value, captures: captures)
        }
      }
      return place
    }

    private mutating func rule(
      _ json: CommentedJSON,
      _ variables: Set<String>,
      _ captures: Set<String>
    ) -> DatabaseRuleExpression? {
      switch json.value {
      case .boolean(let value): return .literal(.boolean(value))
      case .string(let text):
        do throws(DatabaseRuleError) {
          return try DatabaseRuleParser.parse(
            text.scalars,
            variables: variables,
            captures: captures
          )
        } catch {
          report(error.description, at: text.offsets[min(error.index, text.offsets.count - 1)])
        }
      case .object, .list, .other:
        report("A rule must be a text, true or false.", at: json.offset)
      }
      return nil
    }

    private mutating func indexes(_ json: CommentedJSON) -> [String] {
      let elements: [CommentedJSON]
      if case .list(let list) = json.value { elements = list } else { elements = [json] }
      var indexes: [String] = []
      for element in elements {
        guard case .string(let text) = element.value, !text.scalars.isEmpty else {
          report("An index must be a text.", at: element.offset)
          continue
        }
        indexes.append(text.string)
      }
      return indexes
    }
  }

  // MARK: Deciding

  /// Returns whether the rules allow reading all of a node.
  ///
  /// The first rule on the way from the root that is true grants it; a rule below can't revoke it.
  package func allowsRead(of path: [String], _ request: DatabaseRequest) -> Bool {
    var isAllowed = false
    walk(path, request) { place, evaluator in
      if let read = place.read, evaluator.allows(read) { isAllowed = true }
      return !isAllowed
    }
    return isAllowed
  }

  /// Returns whether the rules allow writing a node: a `.write` on the way from the root must be
  /// true, and each `.validate` on the way and below, where new data exists.
  package func allowsWrite(to path: [String], _ request: DatabaseRequest) -> Bool {
    var isAllowed = false
    var isValid = true
    var last: (Place, DatabaseRuleEvaluator)?
    let reached = walk(path, request) { place, evaluator in
      if !isAllowed, let write = place.write { isAllowed = evaluator.allows(write) }
      if evaluator.newData?.node != nil, let validate = place.validate {
        isValid = evaluator.allows(validate)
      }
      last = (place, evaluator)
      return isValid
    }
    guard isAllowed, isValid else { return false }
    guard reached, let last else { return true }
    return Self.isValid(last.0, last.1)
  }

  /// Visits the places on the way from the root to a path.
  ///
  /// - Parameter visit: A closure that returns whether to go on.
  /// - Returns: A Boolean value that indicates whether the whole path has rules.
  @discardableResult
  private func walk(
    _ path: [String],
    _ request: DatabaseRequest,
    _ visit: (Place, DatabaseRuleEvaluator) -> Bool
  ) -> Bool {
    var place = root
    var evaluator = request.evaluator
    guard visit(place, evaluator) else { return false }
    for key in path {
      guard let next = place.child(key, evaluator) else { return false }
      (place, evaluator) = next
      guard visit(place, evaluator) else { return false }
    }
    return true
  }

  /// Returns whether all new data below a place is valid.
  private static func isValid(_ place: Place, _ evaluator: DatabaseRuleEvaluator) -> Bool {
    guard let node = evaluator.newData?.node, !place.children.isEmpty || place.capture != nil else {
      return true
    }
    func isValid(_ key: String) -> Bool {
      guard let (child, below) = place.child(key, evaluator), below.newData?.node != nil else {
        return true
      }
      if let validate = child.validate, !below.allows(validate) { return false }
      return Self.isValid(child, below)
    }
    guard place.capture != nil else {
      return place.children.keys.allSatisfy { isValid($0.string) }
    }
    var isAllValid = true
    node.forEachRulesChild { key, _ in
      isAllValid = isValid(key)
      return isAllValid
    }
    return isAllValid
  }

  /// Returns the indexes of a node's children: paths below the children, or `.value`.
  package func indexes(of path: [String]) -> [String] {
    var place = root
    for key in path {
      guard let next = place.children[key] ?? place.capture?.places.first else { return [] }
      place = next
    }
    return place.indexes
  }
}

extension DatabaseRules.Place {
  fileprivate func child(
    _ key: String,
    _ evaluator: DatabaseRuleEvaluator
  ) -> (DatabaseRules.Place, DatabaseRuleEvaluator)? {
    if let child = children[key] { return (child, evaluator.child(key, capture: nil)) }
    guard let capture, let place = capture.places.first else { return nil }
    return (place, evaluator.child(key, capture: capture.name))
  }
}

extension DatabaseRuleEvaluator {
  fileprivate func child(_ key: String, capture: String?) -> DatabaseRuleEvaluator {
    var captures = captures
    if let capture { captures[capture] = key }
    return DatabaseRuleEvaluator(
      root: root,
      data: data.child(key),
      newData: newData?.child(key),
      auth: auth,
      now: now,
      query: query,
      captures: captures
    )
  }
}

/// A request to a Realtime Database, on which rules decide.
package struct DatabaseRequest: Sendable {
  fileprivate let root: (any RulesTreeNode)?
  fileprivate let newRoot: (any RulesTreeNode)?
  fileprivate let isWrite: Bool
  fileprivate let auth: JSONValue
  fileprivate let now: Int64
  fileprivate let query: JSONObject

  /// Creates a request to read.
  ///
  /// - Parameters:
  ///   - auth: The value of `auth`: an object, or null.
  ///   - now: The time in milliseconds since 1970.
  ///   - query: The properties of `query`.
  package init(root: (any RulesTreeNode)?, auth: JSONValue, now: Int64, query: JSONObject) {
    self.root = root
    newRoot = nil
    isWrite = false
    self.auth = auth
    self.now = now
    self.query = query
  }

  /// Creates a request to write.
  package init(
    root: (any RulesTreeNode)?,
    newRoot: (any RulesTreeNode)?,
    auth: JSONValue,
    now: Int64
  ) {
    self.root = root
    self.newRoot = newRoot
    isWrite = true
    self.auth = auth
    self.now = now
    query = [:]
  }

  fileprivate var evaluator: DatabaseRuleEvaluator {
    DatabaseRuleEvaluator(
      root: RulesSnapshot(root: root),
      data: RulesSnapshot(root: root),
      newData: isWrite ? RulesSnapshot(root: newRoot) : nil,
      auth: auth,
      now: now,
      query: query,
      captures: [:]
    )
  }
}

extension String {
  fileprivate var isCaptureName: Bool {
    let name = unicodeScalars.dropFirst()
    guard let first = name.first, !first.isDigit else { return false }
    return name.allSatisfy {
      $0.isDigit || $0 == "_" || "a" <= $0 && $0 <= "z" || "A" <= $0 && $0 <= "Z"
    }
  }
}

extension Unicode.Scalar {
  fileprivate var isBarredFromKeys: Bool {
    switch self {
    case ".", "$", "#", "[", "]": true
    default: value < 0x20 || value == 0x7F
    }
  }
}
