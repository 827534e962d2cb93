/// The types that the signatures of a function, or of all methods with a name, allow together.
///
/// The compiler doesn't know which type's method is called. `nil` stands for any type.
struct CallTypes {
  typealias Types = [RulesType]

  /// The types that have the method, or `nil` for a function.
  let base: Types?
  let parameters: [Types?]
  let result: Types?

  static let functions = Signatures.functions.mapValues { CallTypes($0) }
  static let documentFunctions = Signatures.documentFunctions.mapValues { CallTypes($0) }
  static let storageFunctions = Signatures.storageFunctions.mapValues { CallTypes($0) }

  /// The methods, by names without a type.
  static let methods = Dictionary(grouping: Signatures.allMethods, by: \.method).mapValues {
    CallTypes($0, of: $0.compactMap(\.base).unique)
  }

  /// - Parameters:
  ///   - signatures: Signatures with the same number of parameters.
  ///   - base: The types that have the method, or `nil` for a function.
  private init(_ signatures: [Signature], of base: Types? = nil) {
    self.base = base
    parameters = signatures[0].parameters.indices.map { index in
      Self.union(signatures.map { $0.parameters[index].map(Self.accepted) })
    }
    result = Self.union(signatures.map { $0.result.map { [$0] } })
  }

  /// Returns the types of the arguments that a parameter accepts: integers are numbers, too.
  private static func accepted(_ type: RulesType) -> Types {
    type == .float ? [.float, .int] : [type]
  }

  /// Returns all types once, or `nil` if any type is allowed.
  private static func union(_ all: [Types?]) -> Types? {
    let known = all.compactMap(\.self)
    return known.count == all.count ? known.flatMap(\.self).unique : nil
  }
}

extension Signature {
  /// The type whose values have the method.
  fileprivate var base: RulesType? { RulesType(rawValue: String(name.prefix { $0 != "." })) }

  /// The method's name without the type.
  fileprivate var method: String { String(name.drop { $0 != "." }.dropFirst()) }
}

extension [RulesType] {
  /// The types without repetitions, in their order.
  fileprivate var unique: Self { reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
}
