package gatebook.api.browser;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.events.Requires;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A Chromium without a screen, with a new profile. Its windows share cookies and workers, as those
 * of a person do. Only one thread at a time may use it.
 */
public final class Chromium implements AutoCloseable {
  private static final String DRIVER = "chromedriver";
  private static final String CHROMIUM = "chromium";
  private static final Pattern PORT = Pattern.compile("started successfully on port (\\d+)");

  private static final List<String> OPTIONS =
      List.of(
          "--headless",
          "--no-sandbox",
          "--disable-gpu",
          "--disable-quic",
          "--disable-dev-shm-usage",
          "--disable-background-networking",
          "--disable-component-update",
          "--disable-crash-reporter",
          "--disable-default-apps",
          "--disable-domain-reliability",
          "--disable-extensions",
          "--disable-features=AutofillServerCommunication,MediaRouter,NetworkTimeServiceQuerying,"
              + "OptimizationHints,PreconnectToSearch,SpareRendererForSitePerProcess,Translate",
          "--disable-sync",
          "--force-color-profile=srgb",
          "--hide-scrollbars",
          "--lang=en-GB",
          "--metrics-recording-only",
          "--no-default-browser-check",
          "--no-first-run",
          "--no-pings");

  /** The hosts that Chromium asks whatever it shows. */
  private static final List<String> OWN_HOSTS =
      List.of(
          " accounts.google.com:443 ",
          " http://clients2.google.com/time/",
          " http://update.googleapis.com/service/update2/",
          " redirector.gvt1.com:443 ",
          " start.duckduckgo.com:443 ",
          " update.googleapis.com:443 ");

  private final Process driver;
  private final ForeignRequests foreignRequests;
  private final WebDriverClient driverClient;
  private final String session;
  private final String version;
  private String window = "";

  private Chromium(Process driver, int port, List<String> options) {
    this.driver = driver;
    this.foreignRequests = new ForeignRequests();
    this.driverClient = new WebDriverClient(URI.create("http://127.0.0.1:" + port));
    JsonNode created = driverClient.post("/session", capabilities(options));
    this.session = "/session/" + created.path("sessionId").asText();
    this.version = created.at("/capabilities/browserVersion").asText();
  }

  /**
   * Starts a browser; a test that calls this without one does not run.
   *
   * @param directory is empty; the profile and the log of the driver are created there
   * @param more options of Chromium
   */
  public static Chromium start(Path directory, String... more) {
    Requires.program(CHROMIUM);
    Requires.program(DRIVER);
    try {
      Path log = Files.createDirectories(directory).resolve("driver.log");
      Process driver =
          new ProcessBuilder(DRIVER, "--port=0", "--log-level=WARNING")
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      try {
        List<String> options = new ArrayList<>(OPTIONS);
        options.add("--user-data-dir=" + directory.toAbsolutePath().resolve("profile"));
        options.addAll(List.of(more));
        return new Chromium(driver, awaitPort(driver, log), options);
      } catch (RuntimeException e) {
        end(driver);
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the driver does not start", e);
    }
  }

  private static int awaitPort(Process driver, Path log) {
    return await()
        .until(
            () -> {
              Matcher port = PORT.matcher(Files.readString(log, UTF_8));
              if (!driver.isAlive()) {
                throw new AssertionError("the driver ended: " + Files.readString(log, UTF_8));
              }
              return port.find()
                  ? Optional.of(Integer.parseInt(port.group(1)))
                  : Optional.<Integer>empty();
            },
            Optional::isPresent)
        .orElseThrow();
  }

  private Map<String, Object> capabilities(List<String> options) {
    List<String> arguments = new ArrayList<>(options);
    arguments.add("--proxy-server=" + foreignRequests.proxy());
    return Map.of(
        "capabilities",
        Map.of(
            "alwaysMatch",
            Map.of(
                "browserName",
                "chrome",
                "unhandledPromptBehavior",
                "ignore",
                "timeouts",
                Map.of("script", 200_000, "pageLoad", 200_000, "implicit", 0),
                "goog:loggingPrefs",
                Map.of("browser", "ALL"),
                "goog:chromeOptions",
                Map.of("binary", "/usr/bin/" + CHROMIUM, "args", arguments))));
  }

  /** The version of Chromium. */
  public String version() {
    return version;
  }

  /**
   * Opens another window, whose pages report what a content security policy refused as an error.
   */
  public BrowserWindow newWindow() {
    String handle =
        window.isEmpty()
            ? driverClient.get(session + "/window").asText()
            : post("/window/new", Map.of("type", "window")).path("handle").asText();
    BrowserWindow opened = new BrowserWindow(this, handle);
    opened.prepare();
    return opened;
  }

  /** Sends a command about a window. */
  JsonNode post(String handle, String path, Map<String, ?> parameters) {
    switchTo(handle);
    return post(path, parameters);
  }

  JsonNode get(String handle, String path) {
    switchTo(handle);
    return driverClient.get(session + path);
  }

  JsonNode delete(String handle, String path) {
    switchTo(handle);
    return driverClient.delete(session + path);
  }

  private JsonNode post(String path, Map<String, ?> parameters) {
    return driverClient.post(session + path, parameters);
  }

  private void switchTo(String handle) {
    if (!window.equals(handle)) {
      post("/window", Map.of("handle", handle));
      window = handle;
    }
  }

  /**
   * The errors that the consoles of all windows and workers showed since this was last called:
   * uncaught exceptions, violations of a content security policy, and requests that failed.
   */
  public List<String> takeErrors() {
    List<String> errors = new ArrayList<>();
    for (JsonNode entry : post("/se/log", Map.of("type", "browser"))) {
      if (entry.path("level").asText().equals("SEVERE")) {
        errors.add(entry.path("source").asText() + ": " + entry.path("message").asText());
      }
    }
    return errors;
  }

  /**
   * The first lines of requests to other hosts than this machine so far, without those that
   * Chromium makes for itself.
   */
  public List<String> foreignRequests() {
    return foreignRequests.requestLines().stream()
        .filter(line -> OWN_HOSTS.stream().noneMatch(line::contains))
        .toList();
  }

  @Override
  public void close() {
    try (driverClient;
        foreignRequests) {
      driverClient.delete(session);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      end(driver);
    }
  }

  private static void end(Process driver) {
    driver.descendants().forEach(ProcessHandle::destroyForcibly);
    driver.destroyForcibly();
  }
}
