package gatebook.events.journal.archive;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * A target of archives and backups: it keeps objects under names.
 *
 * <p>A name is a relative path, such as {@code segments/17.segment.z}: parts of ASCII letters,
 * digits, {@code .}, {@code _} and {@code -}, separated by slashes, none of which begins with a
 * dot. An object has all of its bytes or does not exist. What was put is durable when the method
 * returns. Any thread may call the methods.
 */
public interface ArchiveTarget extends AutoCloseable {
  /** The characters of a name at most, so that every target can have it. */
  int NAME_CHARS_MAX = 200;

  Pattern NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]*(?:/[A-Za-z0-9_-][A-Za-z0-9._-]*)*");

  /**
   * Stores the bytes of a file under a name that no object has.
   *
   * @return false when there is such an object, which stays as it is
   */
  boolean putIfAbsent(String name, Path file) throws ArchiveFailure;

  /** Stores bytes under a name; they replace those of an object with it, all at once. */
  void put(String name, byte[] bytes) throws ArchiveFailure;

  /** The bytes of a small object, such as a manifest; empty when there is no such object. */
  Optional<byte[]> get(String name) throws ArchiveFailure;

  /** How long an object is; empty when there is no such object. */
  OptionalLong size(String name) throws ArchiveFailure;

  /** Some bytes of an object, which must have them. */
  byte[] read(String name, long from, int length) throws ArchiveFailure;

  /**
   * Writes all bytes of an object to a new file, which only its owner can read. The file is on the
   * disk when the method returns.
   *
   * @return false when there is no such object
   */
  boolean copyTo(String name, Path file) throws ArchiveFailure;

  /** The objects whose names begin with the prefix, by ascending name. */
  List<ArchivedObject> list(String prefix) throws ArchiveFailure;

  /** Removes an object, if there is one. */
  void delete(String name) throws ArchiveFailure;

  /** The target's name for operators, without credentials. */
  String describe();

  @Override
  void close();

  /** The same name, which must be a valid one. */
  static String requireName(String name) {
    if (name.length() > NAME_CHARS_MAX || !NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("no name of an object: " + name);
    }
    return name;
  }
}
