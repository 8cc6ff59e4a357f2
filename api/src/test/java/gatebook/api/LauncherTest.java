package gatebook.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The launcher in a directory of its own, where the JDK and Maven are scripts: the JDK prints its
 * arguments, and those of a training into a file; Maven creates an empty jar.
 */
final class LauncherTest {

  private static final Path ROOT = Path.of(System.getProperty("gatebook.root"));

  @TempDir private Path temp;

  private Path home;
  private Path jar;
  private Path elsewhere;
  private Path training;

  private static final String BUILDING =
      """
      building gatebook, once: this takes about a minute after the downloads
        events (module 1 of 2)
        api (module 2 of 2)
      """;

  private static final String CRASHED =
      "umask 077 && cd \"$GATEBOOK_CRASHES\" && awk \"/^(Register to|Top of|Stack slot)/ {cut = 1}"
          + " /^(Instructions|Lock stack|---)/ {cut = 0} !cut && !/^(Command Line|java_command):/\""
          + " crash.log >crash.%p && mv -f crash.%p crash.log"
          + " || rm -f hs_err_pid%p.log /tmp/hs_err_pid%p.log";

  record Outcome(int code, String out, String err) {}

  @BeforeEach
  void build() throws IOException {
    Path real = temp.toRealPath();
    home = Files.createDirectories(real.resolve("house with blanks"));
    jar = home.resolve("api/target/gatebook.jar");
    elsewhere = Files.createDirectories(real.resolve("elsewhere"));
    training = real.resolve("training");
    Files.createDirectories(home.resolve("api/src/main"));
    Files.createDirectories(jar.resolveSibling("lib"));
    Files.createFile(home.resolve("pom.xml"));
    Files.createFile(home.resolve("api/pom.xml"));
    executable(home.resolve("gatebook"), Files.readString(ROOT.resolve("gatebook")));
    Files.copy(ROOT.resolve(".build"), home.resolve(".build"));
    script(home.resolve(".jdk25"), "echo '%s'".formatted(real.resolve("jdk")));
    script(
        real.resolve("jdk/bin/java"),
        """
        case "$*" in *gatebook.api.CacheTraining*) [ -e '%1$s' ] || exit 0; exec >'%1$s';; *) exec >&9;; esac
        echo "${NICE:-}in $PWD"; for argument; do echo "[$argument]"; done; exit 7\
        """
            .formatted(training));
    script(real.resolve("bin/nice"), "export NICE=\"nice $1 $2 \"; shift 2; exec \"$@\"");
    script(
        real.resolve("bin/mvn"),
        """
        echo 'Downloaded from somewhere'
        echo '[INFO] Building Gatebook 0.1.0    [1/3]'
        echo '[INFO] Building gatebook-events 0.1.0    [2/3]'
        echo '[INFO] Building gatebook-api 0.1.0    [3/3]'
        echo "$JAVA_HOME $*" >'%s'
        : >'%s'\
        """
            .formatted(real.resolve("mvn.called"), jar));
  }

  @Test
  void runsJavaInTheCallersDirectoryWithUnchangedArguments() throws Exception {
    Files.createFile(jar);

    assertThat(run(home.resolve("gatebook"), "serve", "--data", "a b", ""))
        .isEqualTo(new Outcome(7, java("[serve]", "[--data]", "[a b]", "[]"), ""));
  }

  @Test
  void symbolicLinksAreResolved() throws Exception {
    Files.createFile(jar);
    Path absolute = Files.createSymbolicLink(elsewhere.resolve("one"), home.resolve("gatebook"));
    Path relative = Files.createSymbolicLink(elsewhere.resolve("two"), Path.of("one"));

    assertThat(run(absolute, "serve")).isEqualTo(new Outcome(7, java("[serve]"), ""));
    assertThat(run(relative, "serve")).isEqualTo(new Outcome(7, java("[serve]"), ""));
  }

  @Test
  void missingJarIsBuiltOnceWithCleanStdout() throws Exception {
    assertThat(run(home.resolve("gatebook"), "serve"))
        .isEqualTo(new Outcome(7, java("[serve]"), BUILDING));
    assertThat(run(home.resolve("gatebook"), "serve"))
        .isEqualTo(new Outcome(7, java("[serve]"), ""));
    assertThat(temp.resolve("mvn.called"))
        .hasContent(
            "%s -B -f %s -Dgatebook.unchecked -Dmaven.test.skip package\n"
                .formatted(temp.toRealPath().resolve("jdk"), home.resolve("pom.xml")));
  }

  @Test
  void secondProcessWaitsForTheRunningBuild() throws Exception {
    Path lock = Files.createDirectories(home.resolve("target/building"));
    Files.writeString(lock.resolve("pid"), ProcessHandle.current().pid() + "\n");
    Process waiting = begin(home.resolve("gatebook"), "serve");
    await().until(() -> !Files.readString(temp.resolve("err")).isEmpty());
    Files.createFile(jar); // the other process has finished
    Files.delete(lock.resolve("pid"));
    Files.delete(lock);

    assertThat(ended(waiting))
        .isEqualTo(
            new Outcome(7, java("[serve]"), "waiting for another process that builds gatebook\n"));
    assertThat(temp.resolve("mvn.called")).doesNotExist();
  }

  @Test
  void signalBeforeTheStartEndsItWithALine() throws Exception {
    Path lock = Files.createDirectories(home.resolve("target/building"));
    Files.writeString(lock.resolve("pid"), ProcessHandle.current().pid() + "\n");
    Process waiting = begin(home.resolve("gatebook"), "stdio");
    await().until(() -> !Files.readString(temp.resolve("err")).isEmpty());
    waiting.destroy();

    assertThat(ended(waiting))
        .isEqualTo(
            new Outcome(
                1,
                "",
                """
                waiting for another process that builds gatebook
                told to stop before the start
                """));
  }

  @Test
  void lockOfADeadProcessIsTakenOver() throws Exception {
    Process ended = new ProcessBuilder("true").start();
    ended.waitFor();
    Path lock = Files.createDirectories(home.resolve("target/building"));
    Files.writeString(lock.resolve("pid"), ended.pid() + "\n");

    assertThat(run(home.resolve("gatebook"), "serve"))
        .isEqualTo(new Outcome(7, java("[serve]"), BUILDING));
    assertThat(lock).doesNotExist();
  }

  @Test
  void newerSourceIsBuilt() throws Exception {
    Files.createFile(jar);
    Path source = Files.createFile(home.resolve("api/src/main/Some.java"));
    Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(60)));

    assertThat(run(home.resolve("gatebook"), "serve").err()).isEqualTo(BUILDING);
  }

  @Test
  void daemonStartsWithCacheOneCompilerAndStartHeap() throws Exception {
    Path cache = cacheBesideJar("local.aot");

    assertThat(run(home.resolve("gatebook"), "stdio", "--data", "a b"))
        .isEqualTo(
            new Outcome(
                7,
                javaWith(
                    """
                    [-XX:InitialRAMPercentage=6.25]
                    [-XX:G1PeriodicGCInterval=10000]
                    [-XX:TieredStopAtLevel=1]
                    """
                        + from(cache),
                    "[stdio]",
                    "[--data]",
                    "[a b]"),
                ""));
  }

  @Test
  void commandStartsWithItsOwnCacheAndOneCompiler() throws Exception {
    Path cache = cacheBesideJar("commands.aot");

    assertThat(run(home.resolve("gatebook"), "lookup", "x"))
        .isEqualTo(
            new Outcome(
                7, javaWith("[-XX:TieredStopAtLevel=1]\n" + from(cache), "[lookup]", "[x]"), ""));
  }

  @ParameterizedTest
  @CsvSource({"serve, serve", "wrap, local", "verify, local", "replay, local"})
  void serverStartsWithCacheAndBothCompilers(String command, String name) throws Exception {
    Path cache = cacheBesideJar(name + ".aot");

    assertThat(run(home.resolve("gatebook"), command))
        .isEqualTo(new Outcome(7, javaWith(from(cache), "[" + command + "]"), ""));
  }

  /** All of its files have one time, and only the shell and links are needed to run it. */
  @Test
  void packageRunsItsOwnRuntimeWithItsCache() throws Exception {
    Path root = Files.createDirectories(temp.toRealPath().resolve("package"));
    Path launcher = root.resolve("gatebook");
    executable(launcher, Files.readString(ROOT.resolve("gatebook")));
    script(
        root.resolve("java/bin/java"),
        "echo \"$JAVA_HOME\" >&9; for it; do echo \"$it\" >&9; done");
    Path packagedJar = Files.createDirectories(root.resolve("app")).resolve("gatebook.jar");
    Path cache = Files.createFile(packagedJar.resolveSibling("serve.aot"));
    Files.createFile(packagedJar);
    Files.setLastModifiedTime(cache, Files.getLastModifiedTime(packagedJar));

    Outcome outcome = run(Files.createSymbolicLink(elsewhere.resolve("linked"), launcher), "serve");

    assertThat(outcome.out().lines())
        .startsWith(root.resolve("java").toString())
        .containsSequence("-XX:AOTCache=" + cache)
        .endsWith("-cp", packagedJar.toString(), "gatebook.api.Gatebook", "serve");
    assertThat(outcome.err()).isEmpty();
  }

  @Test
  void firstCommandStartsCacheTrainingWithoutWaiting() throws Exception {
    Files.createFile(jar);
    // it waits until somebody reads
    assertThat(new ProcessBuilder("mkfifo", training.toString()).start().waitFor()).isZero();

    assertThat(run(home.resolve("gatebook"), "serve"))
        .isEqualTo(new Outcome(7, java("[serve]"), ""));
    assertThat(Files.readString(training)).isEqualTo("nice -n 10 " + training("[serve]"));
  }

  @Test
  void buildTrainsTheCachesAndWaits() throws Exception {
    Files.createFile(jar);
    Files.createFile(training);

    assertThat(run(home.resolve("gatebook"), "--make-caches")).isEqualTo(new Outcome(0, "", ""));
    assertThat(Files.readString(training)).isEqualTo(training("[--make-caches]"));
  }

  @Test
  void unpackedLibraryOfCedarIsUsed() throws Exception {
    Files.createFile(jar);
    cedarBesideJar();
    Path library = unpacked("cedar-java-1-uber.so");
    tellTheLibrary();

    assertThat(run(home.resolve("gatebook"), "serve").out()).isEqualTo(library + "\n");
  }

  @Test
  void libraryOfAnotherVersionIsNotUsed() throws Exception {
    Files.createFile(jar);
    cedarBesideJar();
    unpacked("cedar-java-0-uber.so");
    tellTheLibrary();

    assertThat(run(home.resolve("gatebook"), "serve").out()).isEqualTo("none\n");
  }

  private void cedarBesideJar() throws IOException {
    Files.createFile(jar.resolveSibling("lib/cedar-java-1-uber.jar"));
  }

  private Path unpacked(String name) throws IOException {
    Path directory = Files.createDirectories(jar.resolveSibling("native"));
    return Files.createFile(directory.resolve(name));
  }

  private void tellTheLibrary() throws IOException {
    script(home.resolveSibling("jdk/bin/java"), "echo \"${CEDAR_JAVA_FFI_LIB:-none}\" >&9");
  }

  private Path cacheBesideJar(String name) throws IOException {
    Files.createFile(jar);
    Path cache = Files.createFile(jar.resolveSibling(name));
    Files.setLastModifiedTime(cache, FileTime.from(Instant.now().plusSeconds(60)));
    return cache;
  }

  private static String from(Path cache) {
    return """
    [-XX:AOTCache=%s]
    [-XX:+UnlockDiagnosticVMOptions]
    [-XX:-AOTAdapterCaching]
    [-XX:-AOTReplayTraining]
    [-Xlog:aot*=off]
    [-Xlog:cds*=off]
    """
        .formatted(cache);
  }

  @Test
  void failedBuildShowsMavensOutput() throws Exception {
    script(temp.toRealPath().resolve("bin/mvn"), "echo 'Maven complains'; exit 1");

    assertThat(run(home.resolve("gatebook"), "serve"))
        .isEqualTo(
            new Outcome(
                1,
                "",
                """
                building gatebook, once: this takes about a minute after the downloads
                Maven complains
                gatebook could not be built: see above
                """));
  }

  /** It may be older than the one that runs Maven. */
  @Test
  void buildRunsNoJavaOfThePath() throws Exception {
    for (String pom : List.of("pom.xml", "events/pom.xml", "api/pom.xml")) {
      assertThat(Files.readString(ROOT.resolve(pom))).doesNotContain("<executable>java<");
    }
  }

  @Test
  void missingMavenIsReportedInOneSentence() throws Exception {
    Files.delete(temp.resolve("bin/mvn"));

    assertThat(run(home.resolve("gatebook"), "serve"))
        .isEqualTo(
            new Outcome(
                1,
                "",
                "gatebook has to be built once and needs Maven for it: install Maven 3.8 or"
                    + " newer\n"));
  }

  @Test
  void missingJdkIsReportedInOneSentence() throws Exception {
    script(home.resolve(".jdk25"), "echo 'install a JDK 25' >&2; exit 1");

    assertThat(run(home.resolve("gatebook"), "serve"))
        .isEqualTo(new Outcome(1, "", "install a JDK 25\n"));
  }

  /** The training as the JDK of this test prints it. */
  private String training(String command) {
    return java(command)
        .replace(
            "[gatebook.api.Gatebook]\n" + command,
            "[gatebook.api.CacheTraining]\n[%s]".formatted(jar.getParent()));
  }

  private String java(String... arguments) {
    return javaWith("", arguments);
  }

  private String javaWith(String options, String... arguments) {
    return """
    in %s
    [-XX:MaxRAM=%s]
    [-XX:+Use%sGC]
    [-XX:NewRatio=1]
    [-XX:MetaspaceSize=96m]
    [-XX:SweeperThreshold=100]
    [-XX:+UseCompactObjectHeaders]
    [-Dh2.objectCache=false]
    [--enable-native-access=ALL-UNNAMED]
    [-Daxoniq.update-checker.disabled=true]
    [--add-opens=java.base/java.io=ALL-UNNAMED]
    [-Djdk.tls.rejectClientInitiatedRenegotiation=true]
    [-Dgatebook.output=9]
    [-XX:-CreateCoredumpOnCrash]
    [-XX:-DumpReplayDataOnError]
    [-XX:ErrorFile=%s/crash.log]
    [-XX:OnError=%s]
    [-Xmx1g]
    [-Done=two]
    %s[-cp]
    [%s]
    [gatebook.api.Gatebook]
    %s\
    """
        .formatted(
            elsewhere,
            arguments[0].equals("[serve]") ? "1600m" : "4g",
            switch (arguments[0]) {
              case "[lookup]" -> "Serial";
              case "[stdio]" -> "G1";
              default -> "Parallel";
            },
            List.of(arguments).contains("[--data]") ? "a b" : "gatebook-data",
            CRASHED,
            options,
            jar,
            String.join("", List.of(arguments).stream().map(a -> a + "\n").toList()));
  }

  /** Runs it with the system's tools and the scripted Maven, from another directory. */
  private Outcome run(Path launcher, String... arguments) throws Exception {
    return ended(begin(launcher, arguments));
  }

  private Process begin(Path launcher, String... arguments) throws IOException {
    ProcessBuilder process = new ProcessBuilder(launcher.toString());
    process.command().addAll(List.of(arguments));
    process.directory(elsewhere.toFile());
    process.environment().put("PATH", temp.toRealPath().resolve("bin") + ":" + tools());
    process.environment().put("GATEBOOK_JAVA_OPTS", "-Xmx1g -Done=two");
    process.redirectOutput(temp.resolve("out").toFile());
    process.redirectError(temp.resolve("err").toFile());
    return process.start();
  }

  private Outcome ended(Process running) throws Exception {
    assertThat(running.waitFor(300, SECONDS)).isTrue();
    return new Outcome(
        running.exitValue(),
        Files.readString(temp.resolve("out")),
        Files.readString(temp.resolve("err")));
  }

  /** A directory with links to the tools that the launcher may use, and without Maven. */
  private Path tools() throws IOException {
    Path tools = temp.resolve("tools");
    if (Files.notExists(tools)) {
      for (String tool :
          List.of(
              "sh",
              "readlink",
              "dirname",
              "find",
              "head",
              "mktemp",
              "cat",
              "rm",
              "touch",
              "mkdir",
              "tee",
              "tr",
              "grep",
              "sleep")) {
        script(tools.resolve(tool), "exec %s \"$@\"".formatted(onPath(tool)));
      }
    }
    return tools;
  }

  private static Path onPath(String tool) {
    return List.of(System.getenv("PATH").split(":", -1)).stream()
        .map(directory -> Path.of(directory, tool))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow();
  }

  private static void script(Path file, String body) throws IOException {
    Files.createDirectories(file.getParent());
    executable(file, "#!/bin/sh\n" + body + "\n");
  }

  /**
   * Writes an executable file in another process. A process that another test forks at that moment
   * inherits files that this JVM has open for writing, and such a file cannot be executed.
   */
  private static void executable(Path file, String text) throws IOException {
    Process writing =
        new ProcessBuilder("sh", "-c", "cat >\"$0\" && chmod 755 \"$0\"", file.toString()).start();
    try (Writer in = writing.outputWriter(UTF_8)) {
      in.write(text);
    }
    assertThat(writing.onExit().join().exitValue()).isZero();
  }
}
