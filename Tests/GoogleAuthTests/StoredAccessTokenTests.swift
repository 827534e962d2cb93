import Cryptography
import Foundation
import GoogleAuth
import HTTPService
import HTTPTransport
import Platform
import Processes
import RPCStatus
import TestKit
import Testing

/// Tokens in a file. Each `StoredAccessToken` of a test is what another process would have.
@Suite(.timeLimit(.minutes(10)))
struct StoredAccessTokenTests {
  private static let now: Int64 = 1_700_000_000
  /// Half of it is how long one process waits for another, however busy the machine is.
  private static var deadline: ContinuousClock.Instant { .now + .seconds(1_200) }
  private static let key = Result { try RSAKey.generate(bits: 1_024) }
  private static let scope = "https://www.googleapis.com/auth/cloud-platform"

  private func owner(
    _ email: String = "a@b",
    key: String? = nil
  ) async throws -> StoredAccessToken.Owner {
    let pem = try key ?? Self.key.get().pem()
    return try await withTemporaryFolder { folder in
      let path = "\(folder)/key.json"
      let file = ["client_email": email, "private_key": pem, "token_uri": "https://x.example"]
      try Data(text(file).utf8).write(to: URL(filePath: path))
      return try ServiceAccount(path: path, transport: .forTests()) { 0 }.owner
    }
  }

  private func process(
    _ source: any AccessTokenSource,
    _ folder: String,
    owner: StoredAccessToken.Owner? = nil,
    now: Int64 = now
  ) async throws -> StoredAccessToken {
    var known = owner
    if known == nil { known = try await self.owner() }
    return StoredAccessToken(
      source,
      owner: try #require(known),
      folder: folder,
      patience: .seconds(600)
    ) { now }
  }

  private func token(_ process: StoredAccessToken) async throws -> String {
    try await process.accessToken(deadline: Self.deadline).authorization
  }

  /// The one file of tokens in a folder.
  private func file(in folder: String) throws -> String {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    let name = try #require(names.first { !$0.contains(".") })
    return "\(folder)/\(name)"
  }

  private func mode(_ path: String) -> mode_t {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
  }

  @Test func `a token is asked for once by all processes`() async throws {
    try await withTemporaryFolder { temporary in
      let folder = "\(temporary)/caches/ours"
      let source = NumberedTokens([.seconds(3_600)])
      for _ in 0..<3 {
        let token = try await process(source, folder).accessToken(deadline: Self.deadline)
        #expect(token.authorization == "Bearer t1")
        #expect(token.expiry > .now + .seconds(3_500))
        #expect(token.expiry <= .now + .seconds(3_600))
      }
      #expect(source.callCount == 1)
    }
  }

  @Test func `the file is its user's alone, and has no key in it`() async throws {
    try await withTemporaryFolder { temporary in
      let folder = "\(temporary)/caches/ours"
      _ = try await token(process(NumberedTokens([.seconds(3_600)]), folder))
      #expect(mode(folder) == 0o700)
      #expect(mode("\(temporary)/caches") == 0o700)
      let path = try file(in: folder)
      #expect(mode(path) == 0o600)
      let content = try JSONValue(parsing: Data(contentsOf: URL(filePath: path)))
      #expect(
        content
          == .object([
            "account": .string("a@b"), "scope": .string(Self.scope), "accessToken": .string("t1"),
            "expiresAt": .integer(Self.now + 3_599),
          ])
      )
      let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      #expect(names == [path, "\(path).lock"].map { URL(filePath: $0).lastPathComponent })
    }
  }

  @Test func `processes that start together send one request`() async throws {
    try await withTemporaryFolder { folder in
      chmod(folder, 0o700)
      let (gate, opener) = AsyncStream<Void>.makeStream()
      let (started, start) = AsyncStream<Void>.makeStream()
      let source = NumberedTokens([.seconds(3_600)], gate: gate, started: start)
      let owner = try await owner()
      let processes = (0..<10).map { _ in
        Task { try await token(process(source, folder, owner: owner)) }
      }
      for await _ in started { break }
      for _ in 0..<100 { await Task.yield() }
      opener.finish()
      for process in processes {
        let token = try await process.value
        #expect(token == "Bearer t1")
      }
      #expect(source.callCount == 1)
    }
  }

  @Test func `a process that is killed while it asks gives its turn back`() async throws {
    try await withTemporaryFolder { folder in
      chmod(folder, 0o700)
      _ = try await token(process(NumberedTokens([.seconds(1)]), folder))
      let lock = "\(try file(in: folder)).lock"
      let script = "open(F, '+<', $ARGV[0]); flock(F, 2); $| = 1; print \"held\\n\"; sleep 600"
      let holder = try ChildProcess.spawn(
        Command(
          executable: "/usr/bin/perl",
          arguments: ["-e", script, lock],
          environment: plainEnvironment
        ),
        standardError: .null
      )
      #expect(try await holder.output.nextLine(maximumLength: 80) == Array("held".utf8))
      let source = NumberedTokens([.seconds(3_600)])
      let waiting = Task { [process = try await process(source, folder)] in
        try await process.accessToken(deadline: Self.deadline).authorization
      }
      for _ in 0..<100 { await Task.yield() }
      #expect(source.callCount == 0)
      kill(holder.processIdentifier, SIGKILL)
      #expect(try await waiting.value == "Bearer t1")
      #expect(await holder.exitStatus() == .signalled(SIGKILL))
      #expect(try await token(process(NumberedTokens([nil]), folder)) == "Bearer t1")
    }
  }

  @Test func `a process that is stopped while it asks holds nobody up for long`() async throws {
    try await withTemporaryFolder { folder in
      chmod(folder, 0o700)
      _ = try await token(process(NumberedTokens([.seconds(1)]), folder))
      let lock = open("\(try file(in: folder)).lock", O_RDWR | O_CLOEXEC)
      defer { close(lock) }
      #expect(lockFile(lock))
      let stored = try await process(NumberedTokens([.seconds(3_600)]), folder)
      let token = try await stored.accessToken(deadline: .now + .seconds(2))
      #expect(token.authorization == "Bearer t1")
      // Whoever has no turn writes nothing: what is there is the first one still.
      let next = try await process(NumberedTokens([nil]), folder, now: Self.now - 10)
      let kept = try await next.accessToken(deadline: .now + .seconds(2))
      #expect(kept.expiry < .now + .seconds(20))
    }
  }

  @Test func `a token with five minutes to live is renewed, and used if that fails`()
    async throws
  {
    try await withTemporaryFolder { folder in
      chmod(folder, 0o700)
      let source = NumberedTokens([.seconds(290), nil, .seconds(3_600)])
      for expected in ["Bearer t1", "Bearer t1", "Bearer t3", "Bearer t3"] {
        let token = try await token(process(source, folder))
        #expect(token == expected)
      }
      #expect(source.callCount == 3)
    }
  }

  @Test func `a token that an API refused is forgotten, another's is not`() async throws {
    try await withTemporaryFolder { folder in
      chmod(folder, 0o700)
      let source = NumberedTokens([.seconds(3_600)])
      let stored = try await process(source, folder)
      let refused = try await stored.accessToken(deadline: Self.deadline)
      await stored.discard(AccessToken("another", expiry: .generous))
      #expect(try await token(stored) == "Bearer t1")
      await stored.discard(refused)
      #expect(try await token(stored) == "Bearer t2")
      await stored.discard(refused)
      #expect(try await token(process(source, folder)) == "Bearer t2")
    }
  }

  @Test func `another account, another key and the metadata server have tokens of their own`()
    async throws
  {
    try await withTemporaryFolder { folder in
      chmod(folder, 0o700)
      let source = NumberedTokens([.seconds(3_600)])
      let owners = [
        try await owner(), try await owner("c@d"),
        try await owner(key: RSAKey.generate(bits: 1_024).pem()),
        MetadataServer(host: nil, transport: .forTests()).owner,
        MetadataServer(host: "127.0.0.1:1", transport: .forTests()).owner,
      ]
      for _ in 0..<2 {
        for (index, owner) in owners.enumerated() {
          #expect(try await token(process(source, folder, owner: owner)) == "Bearer t\(index + 1)")
        }
      }
    }
  }

  // MARK: Files that aren't to be trusted

  enum Damage: String, CaseIterable, Sendable {
    case writableByOthers, readableByOthers, ofAnotherUser, aLink, aPipe, empty, noJSON
    case anotherAccount, anotherScope, expired, tooLong, noToken, lineFeed, hugeTime, hugeFile
  }

  private func damage(_ path: String, _ damage: Damage) throws {
    func write(_ changes: [String: Any]) throws {
      var entry: [String: Any] = [
        "account": "a@b", "scope": Self.scope, "accessToken": "planted",
        "expiresAt": Self.now + 3_000,
      ]
      entry.merge(changes) { $1 }
      try JSONSerialization.data(withJSONObject: entry).write(to: URL(filePath: path))
      chmod(path, 0o600)
    }
    try write([:])
    switch damage {
    case .writableByOthers: chmod(path, 0o602)
    case .readableByOthers: chmod(path, 0o640)
    case .ofAnotherUser: chown(path, 65_534, 65_534)
    case .aLink:
      rename(path, "\(path).elsewhere")
      symlink("\(path).elsewhere", path)
    case .aPipe:
      unlink(path)
      mkfifo(path, 0o600)
    case .empty: truncate(path, 0)
    case .noJSON: truncate(path, 20)
    case .anotherAccount: try write(["account": "c@d"])
    case .anotherScope: try write(["scope": "https://www.googleapis.com/auth/datastore"])
    case .expired: try write(["expiresAt": Self.now])
    case .tooLong: try write(["expiresAt": Self.now + 90_000])
    case .noToken: try write(["accessToken": ""])
    case .lineFeed: try write(["accessToken": "planted\r\nX-Evil: 1"])
    case .hugeTime: try write(["expiresAt": Int64.max])
    case .hugeFile: truncate(path, 1 << 30)
    }
  }

  @Test(arguments: Damage.allCases)
  func `a file that can't be trusted is ignored and replaced`(kind: Damage) async throws {
    if kind == .ofAnotherUser && geteuid() != 0 { return }
    try await withTemporaryFolder { folder in
      chmod(folder, 0o700)
      _ = try await token(process(NumberedTokens([.seconds(3_600)]), folder))
      let path = try file(in: folder)
      try damage(path, kind)
      let source = NumberedTokens([.seconds(3_600)])
      for _ in 0..<2 { #expect(try await token(process(source, folder)) == "Bearer t1") }
      #expect(source.callCount == 1)
      #expect(mode(path) == 0o600)
      // A link's target stays as it was.
      let linked = try? String(contentsOfFile: "\(path).elsewhere", encoding: .utf8)
      #expect(kind != .aLink || linked?.contains("planted") == true)
    }
  }

  /// What stands in the way of a file is no failure: there just is none.
  @Test(arguments: [
    "writable", "readable", "foreign", "link", "file", "beneath a file", "empty name", "full",
    "blocked",
  ])
  func `where no file can be kept safely each process asks for itself`(
    obstacle: String
  ) async throws {
    if obstacle == "foreign" && geteuid() != 0 { return }
    try await withTemporaryFolder { temporary in
      var folder = "\(temporary)/ours"
      let owner = try await owner()
      if obstacle == "full" || obstacle == "blocked" {
        _ = try await token(process(NumberedTokens([.seconds(1)]), folder, owner: owner))
        let path = try file(in: folder)
        // The new file can't be made; or it can't take the old one's place.
        unlink(path)
        mkdir(obstacle == "full" ? "\(path).new" : path, 0o700)
      } else {
        mkdir(folder, 0o700)
        switch obstacle {
        case "writable": chmod(folder, 0o777)
        case "readable": chmod(folder, 0o750)
        case "foreign": chown(folder, 65_534, 65_534)
        case "link":
          symlink(folder, "\(temporary)/link")
          folder = "\(temporary)/link"
        case "file", "beneath a file":
          rmdir(folder)
          try Data().write(to: URL(filePath: folder))
          if obstacle == "beneath a file" { folder += "/caches" }
        default: folder = ""
        }
      }
      let source = NumberedTokens([.seconds(3_600)])
      for call in 1...2 {
        let token = try await token(process(source, folder, owner: owner))
        #expect(token == "Bearer t\(call)")
      }
    }
  }

  // MARK: The folder

  @Test(arguments: [
    (["GOOGLE_TOKEN_CACHE": "/my/tokens", "HOME": "/h"], "/my/tokens"),
    (["GOOGLE_TOKEN_CACHE": "off", "HOME": "/h"], nil),
    (["GOOGLE_TOKEN_CACHE": "", "XDG_CACHE_HOME": "/c"], "/c/worldchat-functions"),
    (["XDG_CACHE_HOME": "/c", "HOME": "/h"], "/c/worldchat-functions"),
    (["TMPDIR": "/t"], "/t/worldchat-functions-\(geteuid())"),
    (["HOME": "/", "TMPDIR": "/t"], "/t/worldchat-functions-\(geteuid())"),
    ([:], "/tmp/worldchat-functions-\(geteuid())"),
  ])
  func `tokens are kept where caches are`(environment: [String: String], folder: String?) {
    #expect(TokenFolder.path(environment: environment) == folder)
  }

  @Test func `a relative folder of caches is ignored`() {
    let home = ["XDG_CACHE_HOME": "caches", "HOME": "/home/me"]
    #expect(TokenFolder.path(environment: home)?.hasPrefix("/home/me/") == true)
  }
}
