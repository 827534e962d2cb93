/// The name of a service in firebase.json, in the hub's responses, in the ready file and in
/// `--only`.
package struct ServiceName: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  package static let firestore = ServiceName(rawValue: "firestore")
  package static let auth = ServiceName(rawValue: "auth")
  package static let database = ServiceName(rawValue: "database")
  package static let storage = ServiceName(rawValue: "storage")
  package static let functions = ServiceName(rawValue: "functions")
  package static let ui = ServiceName(rawValue: "ui")
  package static let hub = ServiceName(rawValue: "hub")

  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }

  package var description: String { rawValue }
}
