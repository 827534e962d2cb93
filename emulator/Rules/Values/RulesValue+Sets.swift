extension RulesSet {
  func call(_ method: String, _ arguments: Arguments) throws(EvaluationError) -> RulesValue? {
    switch (method, arguments) {
    case ("size", .none): .integer(Int64(elements.count))
    case ("hasAny", .one(.list(let values))): .boolean(try hasAny(values))
    case ("hasAny", .one(.set(let set))): .boolean(try hasAny(set.elements))
    case ("hasAll", .one(.list(let values))): .boolean(try hasAll(values))
    case ("hasAll", .one(.set(let set))): .boolean(try hasAll(set.elements))
    case ("hasOnly", .one(.list(let values))): .boolean(try hasOnly(values))
    case ("hasOnly", .one(.set(let set))): .boolean(try hasOnly(set.elements))
    case ("union", .one(.set(let set))): .set(try union(set))
    case ("difference", .one(.set(let set))): .set(try difference(set))
    case ("intersection", .one(.set(let set))): .set(try intersection(set))
    default: nil
    }
  }
}
