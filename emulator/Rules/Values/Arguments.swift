/// The arguments of a call, in a form that `switch` can match.
enum Arguments {
  case none
  case one(RulesValue)
  case two(RulesValue, RulesValue)
  case three(RulesValue, RulesValue, RulesValue)
  case four(RulesValue, RulesValue, RulesValue, RulesValue)
  /// More arguments than any function has.
  case more

  init(_ values: [RulesValue]) {
    self =
      switch values.count {
      case 0: .none
      case 1: .one(values[0])
      case 2: .two(values[0], values[1])
      case 3: .three(values[0], values[1], values[2])
      case 4: .four(values[0], values[1], values[2], values[3])
      default: .more
      }
  }
}
