import HTTPService
import Services
import Synchronization
import Testing

/// The policy of every port: which hosts and origins may send requests.
struct RequestGuardTests {
  private func isRefused(_ host: String, origin: String? = nil) -> Bool {
    var head = RequestHead(method: "GET", target: "/")
    head.authority = host
    head.headers["origin"] = origin
    return RequestGuard().answer(to: head) != nil
  }

  @Test(arguments: ["127.0.0.1", "localhost:9099", "[::1]:80", "10.0.2.2", "10.0.2.2:9099"])
  func `loopback and Android's name for it are allowed hosts`(host: String) {
    #expect(!isRefused(host))
  }

  @Test(arguments: ["10.0.2.3", "10.0.2.2.evil.example", "evil.example", ""])
  func `other hosts are refused`(host: String) { #expect(isRefused(host)) }

  @Test(arguments: [
    ("/.lp?start=t&cb=1", true), ("/a.json", false), ("/", false), ("/a.json?x=/.lp?", false),
  ])
  func `pages of other sites load only the script that ends long polling`(
    target: String,
    isAllowed: Bool
  ) {
    var head = RequestHead(method: "GET", target: target)
    head.authority = "127.0.0.1:9000"
    head.headers["sec-fetch-site"] = "cross-site"
    head.headers["sec-fetch-dest"] = "script"
    #expect((RequestGuard().answer(to: head) == nil) == isAllowed)
  }

  @Test func `each refusal is reported`() {
    let reasons = Mutex<[String]>([])
    let requestGuard = RequestGuard { reason in reasons.withLock { $0.append(reason) } }
    #expect(!requestGuard.admits(host: "evil.example") && requestGuard.admits(host: "localhost"))
    var head = RequestHead(method: "GET", target: "/")
    head.authority = "localhost"
    head.headers["origin"] = "null"
    #expect(requestGuard.answer(to: head)?.status == 403)
    let expected = [
      #"Host "evil.example" is not allowed: start the emulator with --allow-host and its name"#,
      #"Origin "null" is not allowed: start the emulator with --allow-origin and this origin"#,
    ]
    #expect(reasons.withLock(\.self) == expected)
  }

  @Test func `pages from Android's name for this machine may use only that name`() {
    #expect(!isRefused("10.0.2.2:8080", origin: "http://10.0.2.2:5000"))
    #expect(isRefused("127.0.0.1:8080", origin: "http://10.0.2.2:5000"))
    #expect(isRefused("10.0.2.2:8080", origin: "http://evil.example"))
  }
}
