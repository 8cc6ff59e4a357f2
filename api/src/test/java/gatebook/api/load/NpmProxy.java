package gatebook.api.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.proof.NpmPeers;
import gatebook.events.Requires;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A proxy of the Model Context Protocol from npm before the stub, with its default settings. Its
 * directory has what it prints, and is its home.
 */
public final class NpmProxy implements AutoCloseable {
  private static final Path FOLDER =
      Path.of(System.getProperty("gatebook.root"), "api/src/test/peers/proxies");

  private static final String PASSTHROUGH = "@civic/passthrough-mcp-server";
  private static final String MCP_PROXY = "mcp-proxy";
  private static final String SUPERGATEWAY = "supergateway";
  private static final long READY_SECONDS_MAX = 120;

  private final Process process;
  private final URI url;

  private NpmProxy(Process process, URI url) {
    this.process = process;
    this.url = url;
  }

  /** The names and versions of the packages. */
  public static List<String> versions() throws IOException {
    Requires.packages(FOLDER);
    return List.of(
        "node " + version(Path.of(NpmPeers.program()).resolveSibling("..")),
        PASSTHROUGH + " " + version(folder(PASSTHROUGH)),
        MCP_PROXY + " " + version(folder(MCP_PROXY)),
        SUPERGATEWAY + " " + version(folder(SUPERGATEWAY)));
  }

  private static String version(Path folder) throws IOException {
    Path file = folder.resolve("package.json");
    return new JsonMapper().readTree(file.toFile()).path("version").asText();
  }

  private static Path folder(String name) {
    return FOLDER.resolve("node_modules").resolve(name);
  }

  /** Starts {@code passthrough-mcp-server}, which speaks HTTP on both sides. */
  public static NpmProxy passthrough(PeerProcess stub, Path directory)
      throws IOException, InterruptedException {
    int port = FreePorts.free();
    return start(
        directory,
        port,
        Map.of(
            "PORT",
            Integer.toString(port),
            "TARGET_SERVER_URL", // to which it adds /mcp
            stub.resolve("").toString(),
            "TARGET_SERVER_TRANSPORT",
            "httpStream"),
        List.of(NpmPeers.program(), script(PASSTHROUGH, "dist/cli.js")));
  }

  /**
   * Starts {@code mcp-proxy}, which speaks HTTP to callers, and {@code supergateway}, which it
   * starts for the way from standard input and output to HTTP.
   *
   * @param options of {@code supergateway}
   */
  public static NpmProxy overStdio(PeerProcess stub, Path directory, String... options)
      throws IOException, InterruptedException {
    int port = FreePorts.free();
    List<String> command =
        new ArrayList<>(
            List.of(
                NpmPeers.program(),
                script(MCP_PROXY, "dist/bin/mcp-proxy.mjs"),
                "--host",
                "127.0.0.1",
                "--port",
                Integer.toString(port),
                "--server",
                "stream",
                "--",
                NpmPeers.program(),
                script(SUPERGATEWAY, "dist/index.js"),
                "--streamableHttp",
                stub.resolve("/mcp").toString()));
    command.addAll(List.of(options));
    return start(directory, port, Map.of(), command);
  }

  private static String script(String name, String file) {
    return folder(name).resolve(file).toString();
  }

  private static NpmProxy start(
      Path directory, int port, Map<String, String> environment, List<String> command)
      throws IOException, InterruptedException {
    Requires.packages(FOLDER);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(Files.createDirectory(directory).toFile())
            .redirectOutput(directory.resolve("out").toFile())
            .redirectError(directory.resolve("err").toFile());
    builder.environment().putAll(environment);
    builder.environment().put("HOME", directory.toString());
    builder.environment().put("TMPDIR", directory.toString());
    NpmProxy proxy =
        new NpmProxy(builder.start(), URI.create("http://127.0.0.1:%d/mcp".formatted(port)));
    proxy.awaitReady(directory);
    return proxy;
  }

  private void awaitReady(Path directory) throws IOException, InterruptedException {
    long start = System.nanoTime();
    while (!OpenedSessions.canOpen(url)) {
      if (!process.isAlive() || System.nanoTime() - start > READY_SECONDS_MAX * 1_000_000_000L) {
        close();
        throw new IOException(
            "a proxy is not ready: " + Files.readString(directory.resolve("err"), UTF_8));
      }
      Thread.sleep(100);
    }
  }

  /** The address that stands for the stub's. */
  public URI url() {
    return url;
  }

  public long pid() {
    return process.pid();
  }

  @Override
  public void close() {
    List<ProcessHandle> children = process.descendants().toList();
    process.destroy();
    process.onExit().join();
    children.forEach(ProcessHandle::destroy);
  }
}
