/// A path, such as `/databases/(default)/documents/users/u1`.
package struct RulesPath: Sendable {
  package var segments: [String]

  package init(_ segments: [String]) { self.segments = segments }
}
