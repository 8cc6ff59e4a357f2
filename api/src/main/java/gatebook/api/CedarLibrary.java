package gatebook.api;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Cedar's native library, unpacked beside the jar, where the launcher finds it. A process that does
 * not find it there unpacks it for itself into the directory for temporary files, which slows its
 * start, and leaves 12 MB there when it is killed.
 */
final class CedarLibrary {

  /** The environment variable by which Cedar is told of it. */
  static final String VARIABLE = "CEDAR_JAVA_FFI_LIB";

  private static final Map<String, String> PROCESSORS =
      Map.of("amd64", "x86_64", "x86_64", "x86_64", "aarch64", "aarch64");

  private CedarLibrary() {}

  /**
   * Unpacks it, unless it is there, and returns it: {@code native/cedar-java-1-uber.so} in the
   * directory of the jar, if it is packed in {@code cedar-java-1-uber.jar}. There is none for some
   * systems.
   */
  static Optional<Path> unpack(Path target) throws IOException {
    URL packed = CedarLibrary.class.getResource(resource());
    if (packed == null || !(packed.openConnection() instanceof JarURLConnection connection)) {
      return Optional.empty();
    }
    String jar = Path.of(connection.getJarFileURL().getPath()).getFileName().toString();
    Path unpacked = target.resolve("native").resolve(jar.replaceFirst("jar$", "so"));
    if (Files.notExists(unpacked)) {
      Path draft = unpacked.resolveSibling(unpacked.getFileName() + ".new");
      Files.createDirectories(unpacked.getParent());
      try (InputStream library = packed.openStream()) {
        Files.copy(library, draft, StandardCopyOption.REPLACE_EXISTING);
      }
      Files.move(draft, unpacked, StandardCopyOption.ATOMIC_MOVE);
    }
    return Optional.of(unpacked);
  }

  private static String resource() {
    String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String processor = System.getProperty("os.arch");
    return "/jne/%s/%s/%s"
        .formatted(
            system.startsWith("mac") ? "macos" : system,
            PROCESSORS.getOrDefault(processor, processor),
            System.mapLibraryName("cedar_java_ffi"));
  }
}
