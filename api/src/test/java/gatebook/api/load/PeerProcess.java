package gatebook.api.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.bench.Bench;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A process with a {@link gatebook.api.load.peer.Peer}. It has the libraries and the JVM options of
 * the product, but none of its classes.
 */
public final class PeerProcess implements AutoCloseable {
  private static final Pattern OPTION = Pattern.compile("-XX:\\S+");

  /** Where the launcher chooses a server's heap and collector. */
  private static final Pattern HEAP = Pattern.compile("(?m)^serve\\).*$");

  /** Where it starts the JVM, with options on several lines. */
  private static final Pattern JAVA = Pattern.compile("/bin/java\" \"[$]heap\"(?:.*\\\\\n)+");

  private final Process process;
  private final URI url;

  private PeerProcess(Process process, URI url) {
    this.process = process;
    this.url = url;
  }

  /**
   * Starts it, in a directory of its own.
   *
   * @param name of the directory
   */
  public static PeerProcess start(Bench bench, String name) throws IOException {
    Path directory = Files.createDirectory(bench.directory().resolve(name));
    Path classes = Files.createDirectories(directory.resolve("peer"));
    copyPeers(bench.target().resolve("test-classes"), classes);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options(bench.root().resolve("gatebook")));
    command.add("-Dlogback.configurationFile=gatebook/api/load/peer/logback.xml");
    command.add("-cp");
    command.add(classes + File.pathSeparator + libraries(bench.target().resolve("lib")));
    command.add("gatebook.api.load.peer.Peer");
    Process process =
        new ProcessBuilder(command).redirectError(directory.resolve("peer.err").toFile()).start();
    String port = process.inputReader(UTF_8).readLine();
    if (port == null) {
      throw new IOException("a peer of the benchmark ended early: see " + directory);
    }
    return new PeerProcess(process, URI.create("http://127.0.0.1:" + port));
  }

  /** The JVM options that the launcher gives a server. */
  static List<String> options(Path launcher) throws IOException {
    String script = Files.readString(launcher);
    List<String> options =
        Stream.of(HEAP, JAVA)
            .map(part -> part.matcher(script))
            .flatMap(part -> part.results())
            .flatMap(part -> OPTION.matcher(part.group()).results())
            .map(MatchResult::group)
            .toList();
    if (options.stream().noneMatch(it -> it.startsWith("-XX:MaxRAM="))
        || options.stream().noneMatch(it -> it.endsWith("GC"))) {
      throw new IOException("the options of a server are not in " + launcher + ": " + options);
    }
    return options;
  }

  private static void copyPeers(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      files
          .filter(file -> Files.isRegularFile(file) && isPeerFile(from.relativize(file).toString()))
          .forEach(file -> copy(file, to.resolve(from.relativize(file))));
    }
  }

  /** The peer's classes, and Micronaut's metadata of its beans. */
  private static boolean isPeerFile(String file) {
    return file.startsWith("gatebook/api/load/peer/")
        || file.contains("BeanDefinitionReference/gatebook.api.load.peer.");
  }

  private static void copy(Path from, Path to) {
    try {
      Files.createDirectories(Objects.requireNonNull(to.getParent()));
      Files.copy(from, to);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String libraries(Path directory) throws IOException {
    try (Stream<Path> jars = Files.list(directory)) {
      List<String> foreign =
          jars.filter(jar -> !jar.getFileName().toString().startsWith("gatebook-"))
              .map(Path::toString)
              .toList();
      return foreign.stream().collect(Collectors.joining(File.pathSeparator));
    }
  }

  public URI resolve(String path) {
    return url.resolve(path);
  }

  /** How many calls of tools and agents the peer has answered. */
  long calls() {
    return Long.parseLong(BenchRequests.get(resolve("/calls")));
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().join();
  }
}
