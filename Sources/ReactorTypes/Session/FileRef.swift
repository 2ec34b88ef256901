/// A file that was uploaded to a session; goes into commands.
public struct FileRef: Sendable, Hashable, Codable {
  /// The platform's id of the upload.
  public let uploadID: String
  /// The file's name.
  public let name: String
  /// Its MIME type.
  public let mimeType: String
  /// Its size in bytes.
  public let size: Int
  /// What else was in the object that this was decoded from; written back on encoding.
  public let extraFields: [String: JSONValue]

  /// A reference to an upload whose id is known.
  public init(uploadID: String, name: String, mimeType: String, size: Int) {
    self.init(uploadID: uploadID, name: name, mimeType: mimeType, size: size, extraFields: [:])
  }

  package init(
    uploadID: String, name: String, mimeType: String, size: Int, extraFields: [String: JSONValue]
  ) {
    self.uploadID = uploadID
    self.name = name
    self.mimeType = mimeType
    self.size = size
    self.extraFields = extraFields
  }

  /// Decodes `upload_id`, `name`, `mime_type` and `size`.
  public init(from decoder: any Decoder) throws {
    let value = try JSONValue(from: decoder)
    guard let reference = FileRef(json: value) else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath,
          debugDescription: "A file reference needs upload_id, name, mime_type and a whole size"))
    }
    self = reference
  }

  /// Encodes the reference object that models read.
  public func encode(to encoder: any Encoder) throws {
    try json.encode(to: encoder)
  }

  /// The reference object; nil when a field is missing or of another type.
  package init?(json: JSONValue) {
    guard var rest = json.objectValue,
      let uploadID = rest.removeValue(forKey: "upload_id")?.stringValue,
      let name = rest.removeValue(forKey: "name")?.stringValue,
      let mimeType = rest.removeValue(forKey: "mime_type")?.stringValue,
      let size = rest.removeValue(forKey: "size")?.intValue
    else { return nil }
    self.init(uploadID: uploadID, name: name, mimeType: mimeType, size: size, extraFields: rest)
  }

  /// The reference object, with the fields that this version does not know.
  package var json: JSONValue {
    var members = extraFields
    members["upload_id"] = .string(uploadID)
    members["name"] = .string(name)
    members["mime_type"] = .string(mimeType)
    members["size"] = .number(Double(size))
    return .object(members)
  }

  /// Compares the documented fields.
  public static func == (left: FileRef, right: FileRef) -> Bool {
    left.uploadID == right.uploadID && left.name == right.name && left.mimeType == right.mimeType
      && left.size == right.size
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(uploadID)
    hasher.combine(name)
    hasher.combine(mimeType)
    hasher.combine(size)
  }
}
