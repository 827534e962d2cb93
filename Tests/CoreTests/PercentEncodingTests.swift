import Core
import Testing

@Suite struct PercentEncodingTests {
  @Test(arguments: [
    ("", ""), ("aZ09-._~", "aZ09-._~"), ("a b", "a%20b"), ("a/b?c#d", "a%2Fb%3Fc%23d"),
    ("100%", "100%25"), ("a+b&c=d:e", "a%2Bb%26c%3Dd%3Ae"), ("é", "%C3%A9"),
    ("👋", "%F0%9F%91%8B"), ("\u{0}\r\n", "%00%0D%0A"), ("*'()!", "%2A%27%28%29%21"),
  ])
  func `only unreserved characters stay`(text: String, encoded: String) {
    #expect(PercentEncoding.encode(text) == encoded)
  }

  @Test func `a query joins encoded pairs`() {
    let query = PercentEncoding.query([("updateMask.fieldPaths", "a b"), ("key", "x&y"), ("z", "")])
    #expect(query == "updateMask.fieldPaths=a%20b&key=x%26y&z=")
    #expect(PercentEncoding.query([]) == "")
  }

  @Test func `a form writes a space as plus`() {
    let form = PercentEncoding.form([
      ("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"), ("a b", "*-._~+é"),
    ])
    #expect(
      form
        == "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&a+b=*-._%7E%2B%C3%A9"
    )
  }
}
