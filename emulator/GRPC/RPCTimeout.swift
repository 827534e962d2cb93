import Core

/// The format of the header `grpc-timeout`: up to eight digits and a unit.
enum RPCTimeout {
  static func parse(_ text: String) throws(StatusError) -> Duration {
    let digits = text.utf8.dropLast()
    guard (1...8).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int64(String(decoding: digits, as: UTF8.self))
    else { throw malformed }
    switch text.utf8.last {
    case UInt8(ascii: "H"): return .seconds(number * 3_600)
    case UInt8(ascii: "M"): return .seconds(number * 60)
    case UInt8(ascii: "S"): return .seconds(number)
    case UInt8(ascii: "m"): return .milliseconds(number)
    case UInt8(ascii: "u"): return .microseconds(number)
    case UInt8(ascii: "n"): return .nanoseconds(number)
    default: throw malformed
    }
  }

  private static var malformed: StatusError {
    StatusError(
      .invalidArgument,
      "grpc-timeout must be up to eight digits and one of H, M, S, m, u, n"
    )
  }
}
