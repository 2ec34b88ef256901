/// A picture in memory that a `PicturePool` can keep.
package protocol PooledPicture: AnyObject, Sendable {
  var width: Int { get }
  var height: Int { get }
  init(width: Int, height: Int) throws(CodecError)
}
