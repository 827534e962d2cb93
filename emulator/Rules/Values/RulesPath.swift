import Core

/// A path, such as `/databases/(default)/documents/users/u1`, or a template such as `/users/{uid}`.
package struct RulesPath: Sendable {
  enum Part: Sendable {
    case segment(String)
    /// `{name}`, with the segment that `bind()` gave it.
    case capture(String, String?)
    /// `{name=**}`, with the segments that `bind()` gave it.
    case globCapture(String, [String]?)
  }

  /// The segments, without captures that aren't bound.
  package let segments: [String]
  /// The parts of a template, or `nil` for a path without captures.
  private let template: [Part]?

  package init(_ segments: [String]) {
    self.segments = segments
    template = nil
  }

  init(parts: [Part]) {
    template = parts
    segments = parts.flatMap { part in
      switch part {
      case .segment(let segment): [segment]
      case .capture(_, let segment): segment.map { [$0] } ?? []
      case .globCapture(_, let segments): segments ?? []
      }
    }
  }

  var parts: [Part] { template ?? segments.map { .segment($0) } }

  /// A Boolean value that indicates whether every capture is bound.
  package var isComplete: Bool { unboundName == nil }

  /// The name of the first capture that isn't bound.
  var unboundName: String? {
    for part in template ?? [] {
      switch part {
      case .capture(let name, nil), .globCapture(let name, nil): return name
      default: continue
      }
    }
    return nil
  }

  /// Returns whether the paths are equal once their captures are bound.
  func hasSameSegments(as other: RulesPath) -> Bool {
    guard isComplete, other.isComplete else { return self == other }
    let (left, right) = (segments, other.segments)
    return left.count == right.count && zip(left, right).allSatisfy { $0.hasSameBytes(as: $1) }
  }
}

extension RulesPath: Hashable {
  package static func == (left: RulesPath, right: RulesPath) -> Bool { left.parts == right.parts }

  package func hash(into hasher: inout Hasher) { hasher.combine(parts) }
}

extension RulesPath.Part: Hashable {
  /// What decides on equality: the kind of part, its name, and its segments.
  private var content: (kind: Int, name: String, segments: [String]?) {
    switch self {
    case .segment(let segment): (0, "", [segment])
    case .capture(let name, let segment): (1, name, segment.map { [$0] })
    case .globCapture(let name, let segments): (2, name, segments)
    }
  }

  static func == (left: RulesPath.Part, right: RulesPath.Part) -> Bool {
    let (left, right) = (left.content, right.content)
    return left.kind == right.kind && left.name.hasSameBytes(as: right.name)
      && left.segments?.map { ByteKey($0) } == right.segments?.map { ByteKey($0) }
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(content.kind)
    hasher.combine(ByteKey(content.name))
    hasher.combine(content.segments?.map { ByteKey($0) })
  }
}

extension RulesPath: CustomStringConvertible {
  /// The path with a slash before each segment. A capture that isn't bound is empty.
  package var description: String {
    guard !parts.isEmpty else { return "/" }
    return parts.reduce(into: "") { text, part in
      switch part {
      case .segment(let segment): text += "/" + segment
      case .capture(_, let segment): text += "/" + (segment ?? "")
      case .globCapture(_, let segments): text += "/" + (segments ?? []).joined(separator: "/")
      }
    }
  }
}
