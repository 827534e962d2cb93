import Rules
import Testing

struct StringTests {
  @Test(arguments: [
    "'héllo'.size() == 5",
    // UTF-16 units, as in Google's emulator.
    "'😀'.size() == 2 && 'e\\u0301'.size() == 2",
    // Letters of ASCII only.
    "'AbÉ'.lower() == 'abÉ' && 'aBé'.upper() == 'ABé'",
    "' \\t\\n a \\u0000'.trim() == 'a'",
    "'\\u00a0a'.trim().size() == 2",
    "'é'.toUtf8() == b'\\xc3\\xa9'",
    "b'\\xff\\xfe'.toBase64() == '__4=' && b'\\xfb'.toBase64() == '-w=='",
    "b'\\xab\\x0c'.toHexString() == 'AB0C' && b'abc'.size() == 3",
    "hashing.md5('a').toHexString() == '0CC175B9C0F1B6A831C399E269772661'",
    "hashing.sha256(b'').toHexString()[0:8] == 'E3B0C442'",
    // The lowest byte comes first.
    "hashing.crc32('a').toHexString() == '43BEB7E8'",
    "hashing.crc32c('abc').toHexString() == 'B73F4B36'",
    "hashing.crc32('') == b'\\x00\\x00\\x00\\x00'",
  ])
  func `strings and bytes have methods`(condition: String) throws {
    #expect(try Outcome.of(condition) == .allowed)
  }

  @Test(arguments: [
    ("'a'.size(1) == 1", "Incorrect number of arguments. Received: 1. Expected: string.size()."),
    (
      "'a'.replace('a') == ''",
      "Incorrect number of arguments. Received: 1. Expected: string.replace(string, string)."
    ),
    (
      "'a'.split(1) == []",
      "Unsupported operation error. Received: string.split(int). Expected: string.split(string)."
    ),
    ("null.size() == 0", "Null value error."),
    ("(1).size() == 0", "Function not found error: Name: [size]."),
    (
      "hashing.md5(1) == b''",
      "Unsupported operation error. Received: hashing.md5(int). "
        + "Expected: hashing.md5(bytes), hashing.md5(string)."
    ),
    ("hashing.sha1('a') == b''", "Function not found error: Name: [hashing.sha1]."),
  ])
  func `wrong arguments are errors`(condition: String, error: String) throws {
    #expect(try Outcome.of(condition) == .failed(error))
  }
}
