package gatebook.api.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/** All files of the console, by their paths. */
final class ConsoleFiles {
  private static final String INDEX = "index.html";
  private static final String ASSETS = "/console/assets/";
  private static final String PAGES = "/console/";

  private static final Set<String> PAGE_NAMES =
      Set.of("calls", "denials", "errors", "live", "approvals", "rules", "whatif", "node");

  /** Pages about one thing, whose id follows. */
  private static final Set<String> ID_PAGE_NAMES = Set.of("call", "tree");

  private static final String UPLOT = "/META-INF/resources/webjars/uplot/1.6.30/dist/";
  private static final List<String> UPLOT_FILES = List.of("uPlot.esm.js", "uPlot.min.css");

  private final Map<String, ConsoleFile> assets;
  private final ConsoleFile index;

  private ConsoleFiles(Map<String, ConsoleFile> assets, ConsoleFile index) {
    this.assets = Map.copyOf(assets);
    this.index = index;
  }

  /** Reads and compresses all files on the class path. Blocks. */
  static ConsoleFiles load() {
    try {
      Map<String, ConsoleFile> assets = new HashMap<>();
      for (String name : names()) {
        assets.put(name, read(name, name));
      }
      for (String name : UPLOT_FILES) {
        assets.put("vendor/" + name, read(name, UPLOT + name));
      }
      return new ConsoleFiles(assets, read(INDEX, INDEX));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The file at a path of a request; every page is the same file, which reads its own address. */
  Optional<ConsoleFile> at(String path) {
    return path.startsWith(ASSETS)
        ? Optional.ofNullable(assets.get(path.substring(ASSETS.length())))
        : Optional.of(index).filter(_ -> isPage(path));
  }

  /** The names of the assets. */
  Set<String> assetNames() {
    return assets.keySet();
  }

  private static boolean isPage(String path) {
    if (path.equals("/")) {
      return true;
    }
    if (!path.startsWith(PAGES)) {
      return false;
    }
    String[] parts = path.substring(PAGES.length()).split("/", -1);
    return switch (parts.length) {
      case 1 -> PAGE_NAMES.contains(parts[0]);
      case 2 -> ID_PAGE_NAMES.contains(parts[0]) && !parts[1].isEmpty();
      default -> false;
    };
  }

  private static ConsoleFile read(String name, String resource) throws IOException {
    try (InputStream file = ConsoleFiles.class.getResourceAsStream(resource)) {
      if (file == null) {
        throw new IllegalStateException("the file %s is missing".formatted(resource));
      }
      return ConsoleFile.of(name, file.readAllBytes());
    }
  }

  /** The names of the files beside the index, which are in a jar or, in tests, in a directory. */
  private static List<String> names() throws IOException {
    URL index = ConsoleFiles.class.getResource(INDEX);
    if (index == null) {
      throw new IllegalStateException("the file %s is missing".formatted(INDEX));
    }
    return index.openConnection() instanceof JarURLConnection jar
        ? namesIn(jar)
        : namesIn(Path.of(URI.create(index.toString())).resolveSibling(""));
  }

  private static List<String> namesIn(JarURLConnection index) throws IOException {
    index.setUseCaches(false); // else the jar would be closed for others too
    String folder =
        index.getEntryName().substring(0, index.getEntryName().length() - INDEX.length());
    try (JarFile jar = index.getJarFile()) {
      return served(
          jar.stream()
              .map(entry -> entry.getName())
              .filter(name -> name.startsWith(folder))
              .map(name -> name.substring(folder.length())));
    }
  }

  private static List<String> namesIn(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return served(files.map(file -> file.getFileName().toString()));
    }
  }

  private static List<String> served(Stream<String> names) {
    return names.filter(name -> !name.contains("/") && ConsoleFile.isServed(name)).toList();
  }
}
