package gatebook.api.archive;

import gatebook.events.journal.archive.ArchiveFailure;
import gatebook.events.journal.archive.ArchiveTarget;
import gatebook.events.journal.archive.DirectoryTarget;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The address of an archive: a directory, or a prefix of names in a bucket of S3. */
public sealed interface ArchiveAddress {
  /** How an address looks, for operators. */
  String FORM = "a directory or s3://BUCKET/PREFIX";

  /** A directory on this machine, or mounted on it. */
  record Directory(Path path) implements ArchiveAddress {
    @Override
    public String toString() {
      return path.toString();
    }
  }

  /**
   * A bucket.
   *
   * @param prefix of the names of all objects; empty, or with a slash at its end
   */
  record Bucket(String name, String prefix) implements ArchiveAddress {
    private static final Pattern TEXT =
        Pattern.compile("s3://([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:/([A-Za-z0-9._/-]*))?");
    private static final Pattern SLASHES = Pattern.compile("^/+|/+$");

    @Override
    public String toString() {
      return "s3://" + name + "/" + prefix;
    }

    private static Optional<ArchiveAddress> parse(String text) {
      Matcher matcher = TEXT.matcher(text);
      if (!matcher.matches()) {
        return Optional.empty();
      }
      String folder =
          SLASHES.matcher(Optional.ofNullable(matcher.group(2)).orElse("")).replaceAll("");
      return Optional.of(new Bucket(matcher.group(1), folder.isEmpty() ? "" : folder + "/"));
    }
  }

  /** The address that a text is; empty when it is none. */
  static Optional<ArchiveAddress> parse(String text) {
    if (text.startsWith("s3:")) {
      return Bucket.parse(text);
    }
    return text.isBlank() || text.contains("://") || text.indexOf('\0') >= 0
        ? Optional.empty()
        : Optional.of(new Directory(Path.of(text)));
  }

  /** The same address, with the whole path of a directory. */
  default ArchiveAddress absolute() {
    return switch (this) {
      case Directory(Path path) -> new Directory(path.toAbsolutePath().normalize());
      case Bucket bucket -> bucket;
    };
  }

  /** Opens an archive that is only read; a directory must exist. */
  default ArchiveTarget openExisting() throws ArchiveFailure {
    return switch (this) {
      case Directory(Path path) -> DirectoryTarget.openExisting(path);
      case Bucket bucket -> S3Target.open(bucket, Optional.empty());
    };
  }

  /** Opens the archive; a directory is created when there is none. */
  default ArchiveTarget open() throws ArchiveFailure {
    return open(Optional.empty());
  }

  /**
   * Opens the archive.
   *
   * @param lock on each object that is put once; a directory has none
   */
  default ArchiveTarget open(Optional<ArchiveLock> lock) throws ArchiveFailure {
    return switch (this) {
      case Directory(Path path) -> DirectoryTarget.open(path);
      case Bucket bucket -> S3Target.open(bucket, lock);
    };
  }
}
