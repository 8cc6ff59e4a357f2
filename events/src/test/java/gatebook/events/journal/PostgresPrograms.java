package gatebook.events.journal;

import com.sun.security.auth.module.UnixSystem;
import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;
import io.zonky.test.db.postgres.util.ArchUtils;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.zip.CRC32C;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.io.FileUtils;
import org.tukaani.xz.XZInputStream;

/** The programs of PostgreSQL, unpacked once for all processes of a user, for every user to run. */
final class PostgresPrograms {
  private static final Set<PosixFilePermission> FOR_EVERYBODY =
      PosixFilePermissions.fromString("rwxr-xr-x");

  private PostgresPrograms() {}

  /** Their directory. */
  static Path directory() throws IOException {
    byte[] packed = packed();
    CRC32C checksum = new CRC32C();
    checksum.update(packed);
    Path unpacked =
        Path.of(System.getProperty("java.io.tmpdir"))
            .resolve("postgres-%d-%08x".formatted(new UnixSystem().getUid(), checksum.getValue()));
    if (Files.notExists(unpacked)) {
      Path draft = Files.createTempDirectory("postgres-");
      unpack(packed, draft);
      try {
        Files.move(draft, unpacked);
      } catch (FileSystemException _) { // another process was faster
        FileUtils.deleteDirectory(draft.toFile());
      }
    }
    return unpacked.resolve("bin");
  }

  private static byte[] packed() throws IOException {
    String system = System.getProperty("os.name").startsWith("Mac") ? "Darwin" : "Linux";
    String processor = ArchUtils.normalize(System.getProperty("os.arch"));
    try (InputStream stream =
        DefaultPostgresBinaryResolver.INSTANCE.getPgBinary(system, processor)) {
      return stream.readAllBytes();
    }
  }

  private static void unpack(byte[] packed, Path directory) throws IOException {
    try (TarArchiveInputStream files =
        new TarArchiveInputStream(
            new BufferedInputStream(new XZInputStream(new ByteArrayInputStream(packed))))) {
      for (TarArchiveEntry entry = files.getNextEntry();
          entry != null;
          entry = files.getNextEntry()) {
        Path file = directory.resolve(entry.getName());
        if (entry.isSymbolicLink()) {
          Files.createSymbolicLink(file, Path.of(entry.getLinkName()));
        } else {
          if (entry.isDirectory()) {
            Files.createDirectories(file);
          } else {
            Files.createDirectories(file.getParent());
            Files.copy(files, file);
          }
          Files.setPosixFilePermissions(file, FOR_EVERYBODY);
        }
      }
    }
    Files.setPosixFilePermissions(directory, FOR_EVERYBODY);
  }
}
