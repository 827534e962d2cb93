import Core

extension RulesValue {
  static func call(
    _ method: String,
    on point: (latitude: Double, longitude: Double),
    _ arguments: Arguments
  ) -> RulesValue? {
    switch (method, arguments) {
    case ("latitude", .none): .float(point.latitude)
    case ("longitude", .none): .float(point.longitude)
    case ("distance", .one(.latLng(let latitude, let longitude))):
      .float(distance(point, (latitude, longitude)))
    default: nil
    }
  }

  /// Returns the result of a function of the namespace `latlng`.
  static func call(
    latLng name: String,
    _ arguments: Arguments
  ) throws(EvaluationError) -> RulesValue? {
    guard name == "value", case .two(let first, let second) = arguments,
      let latitude = first.number, let longitude = second.number
    else { return nil }
    guard latitude.magnitude <= 90, longitude.magnitude <= 180 else {
      throw EvaluationError(
        "Latitude should be in [-90,90] range and longitude should be in [-180,180] range. "
          + "latitude: \(latitude.javaDescription), longitude: \(longitude.javaDescription)."
      )
    }
    return .latLng(latitude: latitude, longitude: longitude)
  }

  /// Returns the distance of two points on a sphere of the earth's mean radius, in meters.
  private static func distance(
    _ start: (latitude: Double, longitude: Double),
    _ end: (latitude: Double, longitude: Double)
  ) -> Double {
    func radians(_ degrees: Double) -> Double { degrees * (.pi / 180) }
    let (latitude, otherLatitude) = (radians(start.latitude), radians(end.latitude))
    let half = sin((otherLatitude - latitude) / 2)
    let halfLongitude = sin(radians(end.longitude - start.longitude) / 2)
    let chord = half * half + cos(latitude) * cos(otherLatitude) * halfLongitude * halfLongitude
    return 2 * 6_371_009 * asin(min(1, chord.squareRoot()))
  }
}
