import Core
import HTTPClient
import TestKit
import Testing

/// The checks of a request's URL.
///
/// The deadline is in the past, so an accepted URL fails because of the deadline, without any
/// network.
@Suite struct TargetTests {
  private func failure(_ url: String, allowsPlaintext: Bool = false) async -> StatusError? {
    let request = HTTPRequest(method: "GET", url: url, allowsPlaintext: allowsPlaintext)
    return await #expect(throws: StatusError.self) {
      try await HTTPClient.forTests().send(request, deadline: .now)
    }
  }

  @Test(arguments: [
    "http://localhost/", "http://LOCALHOST:8080", "http://a.b.localhost/x", "http://127.0.0.1:1/",
    "http://127.255.255.254/", "http://[::1]:8080/", "http://[0:0:0:0:0:0:0:1]/",
    "https://example.com/", "HTTPS://example.com:444/?q",
  ])
  func `https and loopback are accepted`(url: String) async {
    #expect(await failure(url)?.code == .deadlineExceeded)
  }

  @Test(arguments: [
    "http://example.com/", "http://localhost.example.com/", "http://notlocalhost/",
    "http://127.0.0.1.example.com/", "http://128.0.0.1/", "http://10.0.0.1/", "http://0.0.0.0/",
    "http://[::2]/", "http://[fe80::1]/", "http://169.254.169.254/", "http://localhost.:80/",
  ])
  func `plain http to another machine needs an option`(url: String) async {
    let error = await failure(url + "?key=secret")
    #expect(error?.code == .failedPrecondition)
    #expect(error?.fault == .configuration)
    #expect(error?.message.contains("would leak keys") == true)
    #expect(error?.message.contains("secret") == false)
    #expect(await failure(url, allowsPlaintext: true)?.code == .deadlineExceeded)
  }

  @Test(arguments: [
    "", "/path", "example.com", "ftp://example.com/", "file:///etc/passwd", "https://",
    "https://a b/", "https://example.com:99999/", "https://example.com/\u{0}x",
    "https://secret@example.com/", "https://user:secret@example.com/",
    "http://localhost@example.com/", "http://example.com#@localhost:x/", "https://a/\r\nb",
  ])
  func `other URLs are a configuration error`(url: String) async {
    let error = await failure(url)
    #expect(error?.code == .failedPrecondition)
    #expect(error?.fault == .configuration)
    #expect(error?.message.contains("secret") == false)
  }
}
