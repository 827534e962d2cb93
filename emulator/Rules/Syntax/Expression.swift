/// An expression of a ruleset, with its place in the text.
package struct Expression: Sendable {
  package indirect enum Kind: Sendable {
    case literal(RulesValue)
    case list([Expression])
    case map([(key: Expression, value: Expression)])
    /// A path such as `/users/$(uid)`.
    case path([PathPart])
    case variable(String)
    /// `base.name`
    case member(Expression, String)
    /// `base[index]`
    case element(Expression, index: Expression)
    /// `base[from:to]`; without `from`, from the start; without `to`, up to the end.
    case slice(Expression, from: Expression?, to: Expression?)
    /// `name(arguments)`
    case call(String, [Expression])
    /// `base.name(arguments)`, which is also how a function of a namespace such as `math` is called.
    case methodCall(Expression, String, [Expression])
    case unary(UnaryOperator, Expression)
    case binary(BinaryOperator, Expression, Expression)
    /// `value is type`
    case typeCheck(Expression, String)
    /// `condition ? first : second`
    case conditional(Expression, Expression, Expression)
  }

  package enum PathPart: Sendable {
    case literal(String)
    /// `$(expression)`
    case computed(Expression)
  }

  package var kind: Kind
  /// The place from the first character to the last one, without closing brackets.
  package var range: SourceRange
  /// The place that issues and errors name: the operator, the method's name, or the first token.
  package var token: SourceRange

  package init(_ kind: Kind, at range: SourceRange, token: SourceRange? = nil) {
    self.kind = kind
    self.range = range
    self.token = token ?? range
  }
}

package enum UnaryOperator: String, Hashable, Sendable {
  case not = "!"
  case minus = "-"
}

package enum BinaryOperator: String, Hashable, Sendable {
  case or = "||"
  case and = "&&"
  case `in` = "in"
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case plus = "+"
  case minus = "-"
  case times = "*"
  case divide = "/"
  case remainder = "%"
}
