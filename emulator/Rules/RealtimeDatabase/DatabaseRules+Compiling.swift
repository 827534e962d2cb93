import Core

extension DatabaseRules {
  /// Turns the text of rules into places, and collects all errors.
  struct Compiler {
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
          guard place.captureName == nil else {
            report("A path can have only one name that begins with $.", at: member.nameOffset)
            continue
          }
          place.captureName = name
          place.children[name] = self.place(member.value, captures: captures.union([name]))
        case let name where name.hasPrefix("."):
          report("There is no setting \"\(name)\".", at: member.nameOffset)
        case let name where name.unicodeScalars.contains(where: \.isBarredFromKeys) || name.isEmpty:
          report("The key \"\(name)\" is not valid.", at: member.nameOffset)
        default:
          place.children[member.name] = self.place(member.value, captures: captures)
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
    case ".", "$", "#", "[", "]", "/": true
    default: value < 0x20 || value == 0x7F
    }
  }
}
