package gatebook.events.journal.backup;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.events.journal.archive.ArchiveFailure;
import gatebook.events.journal.archive.ArchiveTarget;
import gatebook.events.journal.archive.ArchivedObject;
import gatebook.events.journal.storage.NewerFormat;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The manifest of a backup: the files that it consists of, and what is signed over their events. A
 * backup without its manifest does not exist.
 *
 * @param format of the manifest and of the names of objects
 * @param version of the product that made it
 * @param at when it was made, RFC 3339 in UTC
 * @param origin of the log
 * @param key the public key that signed the checkpoint
 * @param olderKeys the public keys that signed the log before it, the oldest first
 * @param size how many events the log has up to its end
 * @param root of the tree over them, in base64
 * @param checkpoint the signed note over them
 * @param files by ascending position
 */
public record BackupManifest(
    int format,
    String version,
    String at,
    String origin,
    String key,
    List<String> olderKeys,
    long size,
    String root,
    String checkpoint,
    List<BackupFile> files) {
  public static final int FORMAT = 1;

  /** The names of all manifests begin with this. */
  static final String FOLDER = "backups/";

  private static final String EXTENSION = ".json";
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmssSSS'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  /** It is read from places where anybody may have written. */
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .build();

  /**
   * A file of a backup, which other backups may share.
   *
   * @param first the position of its first event
   * @param last the position of its last event
   * @param sealed whether the file never grew afterwards
   * @param name of the object
   * @param bytes its length
   * @param sha256 in hexadecimal digits
   * @param root of the tree over all events up to the last one, in base64
   * @param dropped whether events of it were dropped for good; absent when none was
   */
  public record BackupFile(
      long first,
      long last,
      boolean sealed,
      String name,
      long bytes,
      String sha256,
      String root,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Boolean dropped) {
    public BackupFile {
      Objects.requireNonNull(sha256, "sha256");
      Objects.requireNonNull(root, "root");
      ArchiveTarget.requireName(name);
    }

    /** The extension of the segment's file. */
    String extension() {
      return name.endsWith(".z") ? ".segment.z" : ".segment";
    }
  }

  /** A manifest and its name. */
  public record Named(String name, BackupManifest manifest) {}

  public BackupManifest {
    Objects.requireNonNull(at, "at");
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(root, "root");
    Objects.requireNonNull(checkpoint, "checkpoint");
    olderKeys = List.copyOf(olderKeys);
    files = List.copyOf(files);
  }

  /** The name under which backups are listed: by time. */
  static String name(Instant at, long size) {
    return TIME.format(at) + "-" + size;
  }

  static String objectName(String name) {
    return FOLDER + name + EXTENSION;
  }

  byte[] bytes() {
    try {
      return JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a manifest that cannot be written", e);
    }
  }

  /** The names of all backups, the oldest first. */
  public static List<String> names(ArchiveTarget target) throws ArchiveFailure {
    return target.list(FOLDER).stream()
        .map(ArchivedObject::name)
        .filter(it -> it.endsWith(EXTENSION))
        .map(it -> it.substring(FOLDER.length(), it.length() - EXTENSION.length()))
        .toList();
  }

  /** Reads the manifest of a backup; empty when there is no such backup. */
  public static Optional<BackupManifest> read(ArchiveTarget target, String name)
      throws ArchiveFailure {
    Optional<byte[]> bytes = target.get(objectName(name));
    return bytes.isEmpty() ? Optional.empty() : Optional.of(read(bytes.get(), name));
  }

  private static BackupManifest read(byte[] bytes, String name) throws ArchiveFailure {
    try {
      int format = JSON.readTree(bytes).path("format").asInt();
      if (format > FORMAT) {
        throw new ArchiveFailure(NewerFormat.sentence("the backup " + name, format, FORMAT));
      }
      return JSON.readValue(bytes, BackupManifest.class);
    } catch (ArchiveFailure e) {
      throw e;
    } catch (IOException e) {
      throw new ArchiveFailure(
          "the manifest of the backup %s is damaged: use another backup".formatted(name), e);
    }
  }

  /** The newest backup of this origin, or, without one, of any. */
  static Optional<Named> newest(ArchiveTarget target, Optional<String> origin)
      throws ArchiveFailure {
    for (String name : names(target).reversed()) {
      Optional<BackupManifest> manifest = read(target, name);
      if (manifest.isPresent()
          && origin.filter(it -> !it.equals(manifest.get().origin())).isEmpty()) {
        return Optional.of(new Named(name, manifest.get()));
      }
    }
    return Optional.empty();
  }
}
