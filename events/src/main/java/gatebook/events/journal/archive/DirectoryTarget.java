package gatebook.events.journal.archive;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * An archive in a directory: each object is a file, which only its owner can read.
 *
 * <p>An object is first written to a hidden file beside it. Such a file that a killed process left
 * is no object, and may be removed.
 */
public final class DirectoryTarget implements ArchiveTarget {
  private static final String DRAFT = ".draft-";
  private static final FileAttribute<Set<PosixFilePermission>> OWNERS_FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final FileAttribute<Set<PosixFilePermission>> OWNERS_DIRECTORY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private final Path directory;

  private DirectoryTarget(Path directory) {
    this.directory = directory;
  }

  /** Opens the directory, and creates it when there is none. */
  public static DirectoryTarget open(Path directory) throws ArchiveFailure {
    DirectoryTarget target = new DirectoryTarget(directory.toAbsolutePath().normalize());
    target.use(
        "cannot be used",
        () -> {
          target.create(target.directory);
          if (!Files.isWritable(target.directory)) {
            throw new IOException("this user may not write to it");
          }
          return true;
        });
    return target;
  }

  /** Opens a directory that exists, and may be one that this user can only read. */
  public static DirectoryTarget openExisting(Path directory) throws ArchiveFailure {
    DirectoryTarget target = new DirectoryTarget(directory.toAbsolutePath().normalize());
    target.use(
        "cannot be used",
        () -> {
          if (!Files.isDirectory(target.directory)) {
            throw new FileNotFoundException("there is no such directory");
          }
          return true;
        });
    return target;
  }

  /** A use of the files. */
  @FunctionalInterface
  private interface Use<T> {
    T run() throws IOException;
  }

  private <T> T use(String problem, Use<T> use) throws ArchiveFailure {
    try {
      return use.run();
    } catch (IOException e) {
      throw new ArchiveFailure("the archive %s %s: %s".formatted(directory, problem, reason(e)), e);
    }
  }

  private static String reason(IOException failure) {
    return switch (failure) {
      case NotDirectoryException _, FileAlreadyExistsException _ ->
          "a file is in the place of a directory";
      case AccessDeniedException _ -> "permission denied";
      default -> String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
    };
  }

  @Override
  public boolean putIfAbsent(String name, Path file) throws ArchiveFailure {
    Path object = resolve(name);
    return use(
        "cannot store " + name,
        () -> {
          if (Files.exists(object)) {
            return false;
          }
          Path draft = draftOf(object);
          try {
            copy(file, draft);
            if (!appears(draft, object)) {
              return false;
            }
          } finally {
            Files.deleteIfExists(draft);
          }
          force(parent(object));
          return true;
        });
  }

  /** Gives a draft its name, unless another object has it; of two writers the first wins. */
  private static boolean appears(Path draft, Path object) throws IOException {
    try {
      Files.createLink(object, draft);
      return true;
    } catch (FileAlreadyExistsException _) {
      return false;
    } catch (FileSystemException | UnsupportedOperationException _) {
      // some network shares have no hard links
      Files.move(draft, object);
      return true;
    }
  }

  @Override
  public void put(String name, byte[] bytes) throws ArchiveFailure {
    Path object = resolve(name);
    use(
        "cannot store " + name,
        () -> {
          Path draft = draftOf(object);
          try {
            try (FileChannel channel = FileChannel.open(draft, StandardOpenOption.WRITE)) {
              ByteBuffer left = ByteBuffer.wrap(bytes);
              while (left.hasRemaining()) {
                channel.write(left);
              }
              channel.force(true);
            }
            Files.move(
                draft, object, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
          } finally {
            Files.deleteIfExists(draft);
          }
          force(parent(object));
          return true;
        });
  }

  @Override
  public Optional<byte[]> get(String name) throws ArchiveFailure {
    Path object = resolve(name);
    return use(
        "cannot read " + name,
        () -> {
          try {
            return Optional.of(Files.readAllBytes(object));
          } catch (NoSuchFileException e) {
            requireDirectory();
            return Optional.empty();
          }
        });
  }

  @Override
  public OptionalLong size(String name) throws ArchiveFailure {
    Path object = resolve(name);
    return use(
        "cannot read " + name,
        () -> {
          try {
            return OptionalLong.of(Files.size(object));
          } catch (NoSuchFileException e) {
            requireDirectory();
            return OptionalLong.empty();
          }
        });
  }

  @Override
  public byte[] read(String name, long from, int length) throws ArchiveFailure {
    Path object = resolve(name);
    return use(
        "cannot read " + name,
        () -> {
          ByteBuffer bytes = ByteBuffer.allocate(length);
          try (FileChannel channel = FileChannel.open(object, StandardOpenOption.READ)) {
            while (bytes.hasRemaining()) {
              if (channel.read(bytes, from + bytes.position()) < 0) {
                throw new IOException("it is shorter than it was");
              }
            }
          } catch (NoSuchFileException e) {
            throw new FileNotFoundException("there is no such object");
          }
          return bytes.array();
        });
  }

  @Override
  public boolean copyTo(String name, Path file) throws ArchiveFailure {
    Path object = resolve(name);
    return use(
        "cannot copy " + name,
        () -> {
          if (Files.notExists(object)) {
            requireDirectory();
            return false;
          }
          Files.createFile(file, OWNERS_FILE);
          copy(object, file);
          return true;
        });
  }

  @Override
  public List<ArchivedObject> list(String prefix) throws ArchiveFailure {
    return use(
        "cannot be listed",
        () -> {
          requireDirectory();
          List<ArchivedObject> found = new ArrayList<>();
          collect(directory, "", prefix, found);
          found.sort(Comparator.comparing(ArchivedObject::name));
          return found;
        });
  }

  private static void collect(Path folder, String path, String prefix, List<ArchivedObject> into)
      throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        String name = path + file.getFileName();
        if (!NAME.matcher(name).matches()) {
          continue;
        }
        if (Files.isDirectory(file)) {
          String below = name + "/";
          if (below.startsWith(prefix) || prefix.startsWith(below)) {
            collect(file, below, prefix, into);
          }
        } else if (name.startsWith(prefix)) {
          into.add(new ArchivedObject(name, Files.size(file)));
        }
      }
    }
  }

  @Override
  public void delete(String name) throws ArchiveFailure {
    Path object = resolve(name);
    use(
        "cannot remove " + name,
        () -> {
          if (Files.deleteIfExists(object)) {
            force(parent(object));
          }
          return true;
        });
  }

  @Override
  public String describe() {
    return directory.toString();
  }

  @Override
  public void close() {}

  private Path resolve(String name) {
    return directory.resolve(ArchiveTarget.requireName(name));
  }

  /**
   * A directory that is not there any longer, such as a share that is not mounted, is no archive.
   */
  private void requireDirectory() throws IOException {
    if (!Files.isDirectory(directory)) {
      throw new FileNotFoundException("there is no such directory any longer");
    }
  }

  private Path draftOf(Path object) throws IOException {
    requireDirectory();
    create(parent(object));
    return Files.createTempFile(parent(object), DRAFT, "", OWNERS_FILE);
  }

  private static Path parent(Path path) throws IOException {
    Path parent = path.getParent();
    if (parent == null) {
      throw new FileNotFoundException("the root directory cannot be an archive");
    }
    return parent;
  }

  /** Creates a directory and those above it; their names are on the disk then. */
  private void create(Path folder) throws IOException {
    if (Files.isDirectory(folder)) {
      return;
    }
    create(parent(folder));
    try {
      Files.createDirectory(folder, OWNERS_DIRECTORY);
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(folder)) {
        throw e;
      }
    }
    force(parent(folder));
  }

  private static void copy(Path from, Path to) throws IOException {
    try (FileChannel source = FileChannel.open(from, StandardOpenOption.READ);
        FileChannel copy = FileChannel.open(to, StandardOpenOption.WRITE)) {
      long bytes = source.size();
      long copied = 0;
      while (copied < bytes) {
        long part = source.transferTo(copied, bytes - copied, copy);
        if (part == 0) {
          throw new IOException("%s became shorter".formatted(from.getFileName()));
        }
        copied += part;
      }
      copy.force(true);
    }
  }

  private static void force(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
