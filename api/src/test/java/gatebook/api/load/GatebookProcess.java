package gatebook.api.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;

/** A Gatebook process, started as users start it, with default settings. */
public final class GatebookProcess implements AutoCloseable {
  /** The views of a long journal are made before a node is ready. */
  private static final long READY_SECONDS_MAX = 1_800;

  private static final long IDLE_SECONDS_MAX = 300;

  private final Process process;
  private final int port;
  private final int adminPort;
  private final String scheme;
  private final HttpClient http;
  private final double readyMillis;

  private GatebookProcess(
      Process process,
      int port,
      int adminPort,
      Optional<SSLContext> tls,
      long startedNanos,
      Path log)
      throws IOException, InterruptedException {
    this.process = process;
    this.scheme = tls.isPresent() ? "https" : "http";
    this.http =
        tls.map(it -> HttpClient.newBuilder().sslContext(it).build())
            .orElseGet(HttpClient::newHttpClient);
    this.port = port;
    this.adminPort = adminPort;
    this.readyMillis = awaitReady(startedNanos, log);
  }

  /**
   * Starts the process and returns once it is ready.
   *
   * @param root of the repository
   * @param directory with its configuration; new data is created there, too
   */
  public static GatebookProcess start(Path root, Path directory, String data)
      throws IOException, InterruptedException {
    return start(root, directory, data, "");
  }

  /** As {@link #start(Path, Path, String)}, with more options of the JVM. */
  public static GatebookProcess start(Path root, Path directory, String data, String jvmOptions)
      throws IOException, InterruptedException {
    return start(root, directory, data, jvmOptions, Optional.empty(), List.of());
  }

  /**
   * As {@link #start(Path, Path, String)}, with ports that speak TLS.
   *
   * @param tls with which they are spoken to
   * @param arguments that name the certificate
   */
  public static GatebookProcess startWithTls(
      Path root, Path directory, String data, SSLContext tls, List<String> arguments)
      throws IOException, InterruptedException {
    return start(root, directory, data, "", Optional.of(tls), arguments);
  }

  private static GatebookProcess start(
      Path root,
      Path directory,
      String data,
      String jvmOptions,
      Optional<SSLContext> tls,
      List<String> arguments)
      throws IOException, InterruptedException {
    int port = FreePorts.free();
    int adminPort = FreePorts.free();
    Path log = directory.resolve(data + ".err");
    ProcessBuilder serve =
        new ProcessBuilder(
                root.resolve("gatebook").toString(),
                "serve",
                "--config",
                "gatebook.yaml",
                "--data",
                data,
                "--port",
                Integer.toString(port),
                "--admin-port",
                Integer.toString(adminPort))
            .directory(directory.toFile())
            .redirectOutput(directory.resolve(data + ".out").toFile())
            .redirectError(log.toFile());
    serve.command().addAll(arguments);
    serve.environment().put("GATEBOOK_JAVA_OPTS", jvmOptions);
    long started = System.nanoTime();
    return new GatebookProcess(serve.start(), port, adminPort, tls, started, log);
  }

  private double awaitReady(long startedNanos, Path log) throws IOException, InterruptedException {
    while (!isReady()) {
      if (!process.isAlive() || seconds(startedNanos) > READY_SECONDS_MAX) {
        process.destroy();
        throw new IOException("gatebook is not ready: " + Files.readString(log, UTF_8));
      }
      Thread.sleep(2);
    }
    return (System.nanoTime() - startedNanos) / 1e6;
  }

  private boolean isReady() throws IOException, InterruptedException {
    try {
      return get("/ready").statusCode() == 200;
    } catch (ConnectException _) {
      return false;
    }
  }

  /** The time from the start of the process to the first successful response of {@code /ready}. */
  public double readyMillis() {
    return readyMillis;
  }

  public URI mcp() {
    return resolve("/mcp");
  }

  public URI resolve(String path) {
    return URI.create("%s://127.0.0.1:%d%s".formatted(scheme, port, path));
  }

  /** An address at the port for operators. */
  public URI admin(String path) {
    return URI.create("%s://127.0.0.1:%d%s".formatted(scheme, adminPort, path));
  }

  /** The sum of a metric over all labels; 0 when it does not exist yet. */
  public double metric(String name) throws IOException, InterruptedException {
    return get("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  /**
   * Waits until nothing of the previous load is left, so that the next one is measured alone. A
   * load ends while calls are in progress.
   */
  public void awaitIdle() throws IOException, InterruptedException {
    long start = System.nanoTime();
    double before = -1;
    for (double stored = journalHead(); stored != before || viewLag() > 0; stored = journalHead()) {
      if (seconds(start) > IDLE_SECONDS_MAX) {
        throw new IOException("gatebook does not become idle");
      }
      before = stored;
      Thread.sleep(100);
    }
  }

  private double journalHead() throws IOException, InterruptedException {
    return metric("gatebook_journal_head");
  }

  /** The number of events that a view has not projected yet. */
  public double viewLag() throws IOException, InterruptedException {
    return metric("gatebook_view_lag") + metric("gatebook_journal_queue_events");
  }

  public long pid() {
    return process.pid();
  }

  public double residentMebibytes() throws IOException {
    return Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status")).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")) / 1_024)
        .sum();
  }

  /** What of the heap is in use after a collection. */
  public double heapMebibytes() throws IOException, InterruptedException {
    var _ = jcmd("GC.run");
    return Pattern.compile("Gen.* used (\\d+)K")
        .matcher(jcmd("GC.heap_info"))
        .results()
        .mapToDouble(used -> Double.parseDouble(used.group(1)) / 1_024)
        .sum();
  }

  private String jcmd(String command) throws IOException, InterruptedException {
    Process jcmd =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(process.pid()),
                command)
            .start();
    String text = new String(jcmd.getInputStream().readAllBytes(), UTF_8);
    jcmd.waitFor();
    return text;
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return http.send(
        HttpRequest.newBuilder(admin(path)).timeout(Duration.ofSeconds(10)).build(),
        BodyHandlers.ofString());
  }

  private static double seconds(long sinceNanos) {
    return (System.nanoTime() - sinceNanos) / 1e9;
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().join();
    http.shutdownNow();
  }

  /** The seconds that a command takes, which ends with 0. */
  public static String seconds(Path root, Path directory, String... command)
      throws IOException, InterruptedException {
    List<String> whole = new ArrayList<>(List.of(command));
    whole.addFirst(root.resolve("gatebook").toString());
    long begun = System.nanoTime();
    Process process =
        new ProcessBuilder(whole).directory(directory.toFile()).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException("%s ended with %d: %s".formatted(whole, process.exitValue(), text));
    }
    return "%.1f".formatted((System.nanoTime() - begun) / 1e9);
  }
}
