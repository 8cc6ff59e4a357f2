package gatebook.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import gatebook.events.Requires;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * What is put into packages. That they are installed, run and are upgraded is proved by {@code
 * src/test/packages/prove}.
 */
final class PackagesProcessTest {

  private static final Path ROOT = Path.of(System.getProperty("gatebook.root"));
  private static final Path SOURCES = ROOT.resolve("api/src/packages");
  private static final Path LIBRARIES = ROOT.resolve("api/target/lib");
  private static final Path LICENCES = SOURCES.resolve("licences");
  private static final String SCHEMAS = "http://cyclonedx.org/schema/";
  private static final ObjectMapper JSON = new ObjectMapper();

  @Test
  void unitIsAcceptedBySystemd(@TempDir Path folder) throws Exception {
    Requires.program("systemd-analyze");
    String text = Files.readString(SOURCES.resolve("gatebook.service"));
    Path unit = folder.resolve("gatebook.service");
    Files.writeString(unit, text.replace("ExecStart=/usr/bin/gatebook", "ExecStart=/bin/sh"));

    assertThat(output("systemd-analyze", "verify", "--man=no", unit.toString())).isEmpty();
  }

  @Test
  void unitIsExposedByTwoAtMost() throws Exception {
    Requires.program("systemd-analyze");

    assertThat(exposure()).isBetween(0.1, 2.0);
  }

  private static double exposure() throws Exception {
    Matcher level =
        Pattern.compile("exposure level for gatebook.service: ([\\d.]+)")
            .matcher(
                output(
                    "systemd-analyze",
                    "security",
                    "--offline=true",
                    SOURCES.resolve("gatebook.service").toString()));
    assertThat(level.find()).isTrue();
    return Double.parseDouble(level.group(1));
  }

  @Test
  void optionsOfTheServiceAreOptionsOfServe() throws IOException {
    String unit = Files.readString(SOURCES.resolve("gatebook.service"));
    String environment = Files.readString(SOURCES.resolve("gatebook.default"));
    String arguments = group("ExecStart=/usr/bin/gatebook (.*) \\$GATEBOOK_OPTIONS", unit);
    String options = group("#GATEBOOK_OPTIONS=\"(.*)\"", environment);

    CommandLine.ParseResult parsed =
        Gatebook.commandLine("serve").parseArgs((arguments + " " + options).split(" ", -1));

    assertThat(parsed.subcommand().matchedOptions())
        .extracting(CommandLine.Model.OptionSpec::longestName)
        .containsExactly("--data", "--config", "--host", "--name", "--tls-cert", "--tls-key");
  }

  private static String group(String pattern, String text) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    assertThat(matcher.find()).as(pattern).isTrue();
    return matcher.group(1);
  }

  @Test
  void installedRulesHaveNoMistake() {
    int code =
        Gatebook.commandLine("rules")
            .execute("rules", "check", SOURCES.resolve("gatebook.yaml").toString());

    assertThat(code).isZero();
  }

  @Test
  void billOfMaterialsIsValidCycloneDx() throws IOException {
    ObjectNode bill = bill();
    PackageDocuments.addRuntime(bill, Runtime.Version.parse("25.0.3+9-LTS"), "Vendor");

    assertThat(mistakes(bill)).isEmpty();
    assertThat(mistakes(bill.deepCopy().put("surplus", 1))).isNotEmpty();
    assertThat(bill.path("components").findValuesAsText("purl"))
        .contains("pkg:generic/openjdk@25.0.3%2B9")
        .hasSizeGreaterThan(files(LIBRARIES).size());
  }

  @Test
  void everyLibraryHasALicenceWithItsText() throws IOException {
    PackageDocuments documents = new PackageDocuments(LIBRARIES, LICENCES);

    documents.addLibraries(bill().path("components"));

    assertThat(documents.mistakes()).isEmpty();
    assertThat(documents.text().lines())
        .contains("re2j 1.8: Go License", "h2 2.4.240: MPL-2.0 or EPL 1.0");
  }

  @Test
  void partWithoutLicenceOrTextAndOtherJarsAreMistakes(@TempDir Path libraries) throws IOException {
    Path old = Files.createFile(libraries.resolve("old-1.jar"));
    PackageDocuments documents = new PackageDocuments(libraries, LICENCES);

    documents.addLibraries(
        JSON.readTree(
            """
            [{"name": "free", "version": "1"},
             {"name": "told", "version": "2", "licenses": [{"license": {"name": "Told"}}]}]
            """));

    assertThat(documents.mistakes())
        .containsExactly(
            "free 1 has no licence: name one in a pom, or leave it out",
            "told 2 has no text of its licence: put it into " + LICENCES.resolve("told.txt"),
            old + " is no library: remove it, and build again");
  }

  private static ObjectNode bill() throws IOException {
    return (ObjectNode) JSON.readTree(ROOT.resolve("api/target/libraries.cdx.json").toFile());
  }

  private static List<Error> mistakes(JsonNode bill) throws IOException {
    Map<String, String> texts = new HashMap<>();
    for (String name : List.of("bom-1.6", "spdx", "jsf-0.82")) {
      texts.put(SCHEMAS + name + ".schema.json", resource("/" + name + ".schema.json"));
    }
    Schema schema =
        SchemaRegistry.withDefaultDialect(
                SpecificationVersion.DRAFT_7, builder -> builder.schemas(texts))
            .getSchema(SchemaLocation.of(SCHEMAS + "bom-1.6.schema.json"));
    return schema.validate(bill.toString(), InputFormat.JSON);
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = PackagesProcessTest.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), UTF_8);
    }
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    }
  }

  private static String output(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }
}
