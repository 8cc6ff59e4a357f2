package gatebook.api.data;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Files that only their owner may read. */
final class PrivateFile {

  /** What the name of a file ends with until all of it is on disk. */
  static final String UNFINISHED = ".unfinished";

  private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private PrivateFile() {}

  /** Opens a file for reading and writing, making it when it is not there. */
  static FileChannel open(Path file) throws IOException {
    return FileChannel.open(
        file,
        Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
        OWNER_ONLY);
  }

  /** Puts a file in its place only once it is whole and on disk. */
  static void write(Path file, String text) throws IOException {
    Path unfinished = file.resolveSibling(file.getFileName() + UNFINISHED);
    Files.deleteIfExists(unfinished);
    try (FileChannel channel = open(unfinished)) {
      channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
      channel.force(true);
    }
    Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
