import Core
import FirestoreModel

/// A sort key: bytes that sort in the order in which Firestore sorts values or names.
///
/// The keys of several values can be concatenated.
///
/// The key of a value is never a prefix of another value's key. So concatenated keys compare part
/// by part, and the complement of all bytes has the reverse order. The key of a path is a prefix of
/// the keys of all paths below it.
struct KeyBytes: Hashable, Sendable {
  private(set) var bytes: [UInt8] = []

  init() {}

  init(bytes: [UInt8]) { self.bytes = bytes }

  init(_ path: ResourcePath) {
    bytes.reserveCapacity(path.segments.reduce(0) { $0 + $1.utf8.count + 3 })
    append(path)
  }

  init(_ value: Value) { append(value) }

  /// Creates the key of a collection group: all collections with the given ID, whatever
  /// their parent.
  init(collectionID id: String) { append(segment: id, isCollection: true) }

  var isEmpty: Bool { bytes.isEmpty }
  var count: Int { bytes.count }

  func starts(with prefix: KeyBytes) -> Bool {
    prefix.bytes.count <= bytes.count && compareCommonBytes(with: prefix) == 0
  }

  static func == (left: KeyBytes, right: KeyBytes) -> Bool { left.bytes == right.bytes }

  func hash(into hasher: inout Hasher) {
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
  }

  mutating func append(_ other: KeyBytes) { bytes.append(contentsOf: other.bytes) }

  /// Appends the complement of a part's bytes, which sorts in descending order.
  mutating func appendDescending(_ part: KeyBytes) {
    bytes.append(contentsOf: part.bytes.lazy.map { ~$0 })
  }
}

extension KeyBytes: Comparable {
  static func < (left: KeyBytes, right: KeyBytes) -> Bool { left.compare(to: right) < 0 }

  /// Compares the key with another.
  ///
  /// - Returns: A negative number if this key is before the other, zero if they are equal, and a
  ///   positive number if this key is after the other.
  func compare(to other: KeyBytes) -> Int {
    let result = compareCommonBytes(with: other)
    return result != 0 ? result : bytes.count - other.bytes.count
  }

  /// Compares the key with a prefix as `compare(to:)` does, except that a key that begins with the
  /// prefix is equal to it.
  func compare(toPrefix prefix: KeyBytes) -> Int {
    let result = compareCommonBytes(with: prefix)
    return result != 0 ? result : min(bytes.count - prefix.bytes.count, 0)
  }

  /// Compares the bytes up to the end of the shorter key.
  private func compareCommonBytes(with other: KeyBytes) -> Int {
    let count = min(bytes.count, other.bytes.count)
    guard count > 0 else { return 0 }
    return bytes.withUnsafeBufferPointer { left in
      other.bytes.withUnsafeBufferPointer { right in
        guard let left = left.baseAddress, let right = right.baseAddress else { return 0 }
        return Int(memcmp(left, right, count))
      }
    }
  }
}

// MARK: Paths

extension KeyBytes {
  /// Appends a path.
  ///
  /// A collection ID is appended as its bytes. A document ID follows a byte that distinguishes
  /// numeric IDs from others.
  ///
  /// Numeric document IDs, such as `__id7__`, sort before all others.
  mutating func append(_ path: ResourcePath) {
    for (index, segment) in path.segments.enumerated() {
      append(segment: segment, isCollection: index.isMultiple(of: 2))
    }
  }

  mutating func append(segment: String, isCollection: Bool) {
    if !isCollection {
      if let number = ResourcePath.numericID(segment) {
        bytes.append(1)
        append(bigEndian: UInt64(bitPattern: number) ^ (1 << 63))
        return
      }
      bytes.append(2)
    }
    appendTerminated(segment.utf8)
  }

  /// A key that sorts after every key that begins with this one.
  var successor: KeyBytes {
    var next = self
    next.bytes.append(0xFF)
    return next
  }

  /// The key that sorts directly after this one.
  var next: KeyBytes {
    var next = self
    next.bytes.append(0)
    return next
  }

  private mutating func append(bigEndian number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
  }

  /// Appends bytes and the terminator 00 01.
  ///
  /// A 00 in the content is written as 00 FF, so the terminator sorts before any further content.
  private mutating func appendTerminated(_ content: some Collection<UInt8>) {
    let start = bytes.count
    bytes.append(contentsOf: content)
    if bytes[start...].contains(0) {
      bytes.removeSubrange(start...)
      for byte in content {
        bytes.append(byte)
        if byte == 0 { bytes.append(0xFF) }
      }
    }
    bytes.append(0)
    bytes.append(1)
  }
}

// MARK: Values

extension KeyBytes {
  /// The maximum number of bytes of a value's key.
  ///
  /// Values whose keys agree up to this length count as equal in an index, as in production. So if
  /// an operand's key has this length, the documents' values have to be compared with the operand.
  static let maximumIndexedBytes = 1_500

  /// Returns the first byte of the keys of a type's values. The bytes are in the order of types.
  private static func mark(_ type: Value.TypeOrder) -> UInt8 { UInt8(type.rawValue) * 8 + 8 }

  /// Creates a key that sorts before all comparable values of a type. NaN isn't comparable, and
  /// sorts before this key.
  init(startOf type: Value.TypeOrder) {
    bytes = type == .number ? [Self.mark(type), 1] : [Self.mark(type)]
  }

  /// Creates a key that sorts after all values of a type and before the values of the next type.
  init(endOf type: Value.TypeOrder) { bytes = [Self.mark(type) + 1] }

  /// Creates the key of a value without a maximum length. Two such keys are equal if and only if
  /// the values compare as equal.
  init(whole value: Value) { append(value, upTo: .max) }

  mutating func append(_ value: Value) {
    let start = bytes.count
    append(value, upTo: Self.maximumIndexedBytes)
    if bytes.count - start > Self.maximumIndexedBytes {
      bytes.removeSubrange((start + Self.maximumIndexedBytes)...)
    }
  }

  /// Appends a value.
  ///
  /// - Parameter limit: The number of bytes that the caller needs. Later bytes may be left out.
  private mutating func append(_ value: Value, upTo limit: Int) {
    let type = value.typeOrder
    bytes.append(Self.mark(type))
    switch value.comparable {
    case .null: break
    case .boolean(let boolean): bytes.append(boolean ? 1 : 0)
    case .integer(let integer): append(number: integer)
    case .double(let double): append(number: double)
    case .timestamp(let time):
      append(bigEndian: UInt64(bitPattern: time.seconds) ^ (1 << 63))
      append(bigEndian: UInt32(bitPattern: time.nanoseconds))
    case .string(let string): appendTerminated(string.utf8.prefix(limit))
    case .bytes(let data): appendTerminated(data.prefix(limit))
    case .reference(let name): append(reference: name)
    case .geoPoint(let latitude, let longitude):
      append(ordered: latitude)
      append(ordered: longitude)
    case .array(let values): appendElements(values, upTo: limit)
    case .map(let fields):
      if type == .vector {
        let elements = fields["value"]?.arrayValue ?? []
        append(bigEndian: UInt32(elements.count))
        appendElements(elements, upTo: limit)
      } else {
        appendMembers(fields, upTo: limit)
      }
    }
  }

  private mutating func appendElements(_ values: [Value], upTo limit: Int) {
    let start = bytes.count
    for value in values {
      append(value, upTo: limit)
      if bytes.count - start > limit { return }
    }
    bytes.append(0)
  }

  private mutating func appendMembers(_ fields: Fields, upTo limit: Int) {
    let start = bytes.count
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
      bytes.append(1)
      appendTerminated(name.utf8)
      append(value, upTo: limit)
      if bytes.count - start > limit { return }
    }
    bytes.append(0)
  }

  /// Appends a double in the form of all numbers, so that integers and doubles sort by their exact
  /// values. NaN sorts before all others.
  ///
  /// From 2^53 on, two bytes follow, which are zero for a double.
  private mutating func append(number double: Double) {
    guard !double.isNaN else { return bytes.append(0) }
    bytes.append(1)
    append(ordered: double)
    if abs(double) >= 0x1p53 { append(bigEndian: UInt16(0)) }
  }

  /// Appends an integer as the largest double that isn't above it.
  ///
  /// From 2^53 on, where a double can't represent every integer, the difference from that double
  /// follows.
  private mutating func append(number integer: Int64) {
    bytes.append(1)
    var double = Double(integer)
    if double >= 0x1p63 || Int64(double) > integer { double = double.nextDown }
    append(ordered: double)
    if abs(double) >= 0x1p53 { append(bigEndian: UInt16(integer - Int64(double))) }
  }

  /// Appends a double's bits in a form that sorts like the numbers. Zero and negative zero have the
  /// same bits.
  private mutating func append(ordered double: Double) {
    let bits = (double == 0 ? 0.0 : double).bitPattern
    append(bigEndian: bits >> 63 == 1 ? ~bits : bits | (1 << 63))
  }

  private mutating func append(reference text: String) {
    guard let name = try? DocumentName(text) else { return appendTerminated(text.utf8) }
    appendTerminated(name.database.description.utf8)
    append(name.path)
    // Two zero bytes end the path, because no ID begins with them.
    bytes.append(0)
    bytes.append(0)
  }
}
