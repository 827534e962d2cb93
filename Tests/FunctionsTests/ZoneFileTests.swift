import Core
import FirestoreModel
import Testing

@testable import sendNotification

struct ZoneFileTests {
  static let times: [(String, String, offset: Int64)] = [
    ("Europe/Rome", "2026-01-15T12:00:00Z", 3_600), ("Europe/Rome", "2026-07-15T12:00:00Z", 7_200),
    ("Europe/Rome", "2026-03-29T00:59:59Z", 3_600), ("Europe/Rome", "2026-03-29T01:00:00Z", 7_200),
    ("Europe/Rome", "2026-10-25T00:59:59Z", 7_200), ("Europe/Rome", "2026-10-25T01:00:00Z", 3_600),
    // These times are after the file's last transition, so the rule decides.
    ("Europe/Rome", "2060-03-28T00:59:59Z", 3_600), ("Europe/Rome", "2060-03-28T01:00:00Z", 7_200),
    ("America/New_York", "2050-07-01T00:00:00Z", -14_400),
    ("America/New_York", "2050-12-31T23:00:00Z", -18_000),
    ("Australia/Sydney", "2050-01-01T00:00:00Z", 39_600),
    ("Australia/Sydney", "2050-07-01T00:00:00Z", 36_000),
    ("Europe/Dublin", "2050-01-01T00:00:00Z", 0), ("Europe/Dublin", "2050-07-01T00:00:00Z", 3_600),
    ("Asia/Kathmandu", "2026-01-01T00:00:00Z", 20_700), ("UTC", "2026-01-01T00:00:00Z", 0),
    ("Etc/GMT+5", "2026-01-01T00:00:00Z", -18_000),
  ]

  @Test(arguments: times)
  func `a zone's offset follows its rules`(name: String, time: String, offset: Int64) throws {
    let zone = try #require(ZoneFile(named: name))
    #expect(zone.offset(at: try Timestamp(time)) == offset)
  }

  @Test(arguments: [
    "", "/", "Europe", "Europe/", "/etc/passwd", "../../../etc/passwd", "Europe/../Europe/Rome",
    "Mars/Olympus", "zone.tab", "Europe/Rome\0", "Europe/Röme", "leapseconds",
    String(repeating: "a", count: 65),
  ])
  func `another text is no zone`(name: String) { #expect(ZoneFile(named: name) == nil) }

  private static let header: [UInt8] = Array("TZif2".utf8) + Array(repeating: 0, count: 39)

  @Test func `a damaged file is no zone`() {
    let footer = Array("\nCET-1\n".utf8)
    let type: [UInt8] = [0, 0, 0, 60, 0, 0]
    var second = Self.header
    second[39] = 1
    let file = Self.header + second + type + footer
    #expect(ZoneFile(file)?.offset(at: Timestamp(seconds: 0)) == 3_600)
    for count in 0..<(file.count - footer.count) {
      #expect(ZoneFile(Array(file.prefix(count))) == nil)
    }
    for index in 20..<44 {
      var damaged = file
      damaged[44 + index] = 0xFF
      _ = ZoneFile(damaged)?.offset(at: Timestamp(seconds: 0))
    }
  }

  static let rules: [(String, offset: Int64)] = [
    ("CET-1CEST,M3.5.0,M10.5.0/3", 7_200), ("<+0330>-3:30", 12_600), ("EST5EDT,J60,J300", -14_400),
    ("A1B,59/-167:30,300/167:59:59", 0), ("XXX3", -10_800), ("X0Y0,0,365/24", 0),
  ]

  @Test(arguments: rules)
  func `a rule has every form of POSIX`(text: String, offset: Int64) throws {
    let rule = try #require(ZoneRule(Array(text.utf8)))
    #expect(rule.offset(at: try Timestamp("2028-07-01T00:00:00Z")) == offset)
  }

  @Test(arguments: [
    "", "1", "CET", "CET-", "CET-1CEST", "CET-1CEST,", "CET-1CEST,M3.5.0",
    "CET-1CEST,M13.5.0,M1.1.1",
    "CET-1CEST,M3.6.0,M1.1.1", "CET-1CEST,J0,J1", "CET-1CEST,366,1", "CET-999", "<CET", "CET-1 ",
    "CET-1CEST,M3.5.0,M10.5.0/3x", "CET-1CEST,M3.5.0/,M10.5.0",
  ])
  func `another text is no rule`(text: String) { #expect(ZoneRule(Array(text.utf8)) == nil) }
}
