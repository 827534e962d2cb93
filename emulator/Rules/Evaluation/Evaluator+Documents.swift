import Core

/// The functions that read documents.
enum DocumentFunction: String {
  case get, exists, getAfter, existsAfter

  /// Creates the function that rules of Storage call `firestore.name`, or `nil` if there is none.
  init?(inStorage name: String) {
    switch name {
    case "get": self = .get
    case "exists": self = .exists
    default: return nil
    }
  }
}

extension Evaluator {
  /// Returns the result of a function that reads a document.
  mutating func read(
    _ function: DocumentFunction,
    _ arguments: [RulesValue]
  ) throws(EvaluationError) -> RulesValue {
    let name = (isStorage ? "\(Signatures.documentNamespace)." : "") + function.rawValue
    guard arguments.count == 1, case .path(let path) = arguments[0] else {
      throw Signatures.error(
        of: name,
        in: isStorage ? Signatures.storageFunctions : Signatures.documentFunctions,
        shortName: name,
        arguments
      )
    }
    _ = try path.boundSegments()
    let isExistence = function == .exists || function == .existsAfter
    guard isReadable(path),
      isOwn(path) || budget.record(isExistence: isExistence, path: path.segments)
    else { throw .serviceCall(name, path) }
    let fields =
      switch function {
      case .get, .exists: documents.document(at: path.segments)
      case .getAfter, .existsAfter: documents.documentAfterwards(at: path.segments)
      }
    if isExistence { return .boolean(fields != nil) }
    guard let fields else {
      // Like `resource`, the request's own document is null if it doesn't exist.
      if isOwn(path) { return .null }
      throw .serviceCall(name, path)
    }
    return .resource(fields, at: path.segments)
  }

  /// Returns whether a path is that of a document in the database that the rules can read.
  private func isReadable(_ path: RulesPath) -> Bool {
    let segments = path.segments
    guard segments.count > 3, !segments.count.isMultiple(of: 2),
      segments[0].hasSameBytes(as: "databases"), segments[2].hasSameBytes(as: "documents"),
      let database = readableDatabase
    else { return false }
    return segments[1].hasSameBytes(as: database) && !segments.contains { $0.isEmpty }
  }

  /// The database whose documents the rules can read: that of the request, or the default one in
  /// rules of Storage, as in production.
  private var readableDatabase: String? {
    if isStorage { return "(default)" }
    return if case .named(let database)? = request.path.dropFirst().first { database } else { nil }
  }

  /// Returns whether a path is that of the document that the request is about.
  private func isOwn(_ path: RulesPath) -> Bool {
    request.path.count == path.segments.count
      && zip(request.path, path.segments).allSatisfy { own, segment in
        if case .named(let name) = own { name.hasSameBytes(as: segment) } else { false }
      }
  }
}

extension EvaluationError {
  /// The error of a read that isn't possible, in the words of Google's emulator, which prints the
  /// path as a protobuf message.
  fileprivate static func serviceCall(_ function: String, _ path: RulesPath) -> EvaluationError {
    let segments = path.segments.map { segment in
      "  segments {\n    simple: \"\(segment.escapedForText)\"\n  }\n"
    }
    return EvaluationError(
      "Service call error. Function: [\(function)], "
        + "Argument: [path_value {\n\(segments.joined())}\n]."
    )
  }
}

extension String {
  /// The text as in the text format of protobuf.
  fileprivate var escapedForText: String {
    var escaped = ""
    for byte in utf8 {
      switch byte {
      case UInt8(ascii: "\n"): escaped += "\\n"
      case UInt8(ascii: "\r"): escaped += "\\r"
      case UInt8(ascii: "\t"): escaped += "\\t"
      case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"):
        escaped += "\\" + String(UnicodeScalar(byte))
      case 0x20..<0x7F: escaped.unicodeScalars.append(UnicodeScalar(byte))
      default:
        let octal = String(byte, radix: 8)
        escaped += "\\" + String(repeating: "0", count: 3 - octal.count) + octal
      }
    }
    return escaped
  }
}
