package gatebook.api;

import static com.tngtech.archunit.lang.conditions.ArchConditions.be;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.syntax.elements.ClassesShould;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.axonframework.common.annotation.Internal;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The architecture rules between and inside the four modules. Gatebook keeps each rule, and {@code
 * fixtures.wrong} breaks it.
 */
final class HouseTest {

  private static final String GATEBOOK = "gatebook";
  private static final String FIXTURES = "fixtures.wrong";

  private static final JavaClasses GATEBOOK_CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages(GATEBOOK);
  private static final JavaClasses FIXTURE_CLASSES =
      new ClassFileImporter().importPackages(FIXTURES);

  /** A rule about the classes below a root package, and the fixture class that breaks it. */
  enum LayerRule {
    EVENTS_NAMES_NO_OTHER_MODULE(
        root ->
            noneIn(root + ".events..")
                .dependOnClassesThat()
                .resideInAnyPackage(root + ".command..", root + ".query..", root + ".api.."),
        "events.NamesCommand"),

    COMMAND_NAMES_NOT_QUERY(
        root ->
            noneIn(root + ".command..").dependOnClassesThat().resideInAPackage(root + ".query.."),
        "command.NamesQuery"),

    QUERY_NAMES_NOT_COMMAND(
        root ->
            noneIn(root + ".query..").dependOnClassesThat().resideInAPackage(root + ".command.."),
        "query.NamesCommand"),

    NOTHING_NAMES_API(
        root ->
            noClasses()
                .that()
                .resideOutsideOfPackage(root + ".api..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(root + ".api.."),
        "query.NamesApi"),

    COMMAND_KNOWS_NO_HTTP(
        root ->
            noneIn(root + ".command..")
                .dependOnClassesThat()
                .resideInAnyPackage(
                    "io.micronaut..", "io.netty..", "java.net.http..", "com.sun.net.httpserver.."),
        "command.SpeaksHttp"),

    PACKAGES_ARE_NAMED_AFTER_WHAT_THEY_HOLD(
        root ->
            noClasses()
                .should()
                .resideInAnyPackage(
                    Stream.of("util", "utils", "common", "impl", "service", "services", "manager")
                        .map(name -> root + ".." + name + "..")
                        .toArray(String[]::new)),
        "events.util."),

    NULL_IS_NEVER_A_MAYBE(
        root -> classes().should(be(inAMarkedPackage())), "unmarked.NullMayBeAnything"),

    /** The fixtures of two other rules form a circle too. */
    PACKAGES_DEPEND_ON_EACH_OTHER_IN_NO_CIRCLE(
        root -> slices().matching(root + ".(**)").should().beFreeOfCycles(), ""),

    THE_PORT_TO_UPSTREAMS_NAMES_NO_IMPLEMENTATION(
        root ->
            noClasses()
                .that()
                .resideInAPackage(root + ".api.upstream")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(root + ".api.upstream.*.."),
        "api.upstream.NamesImplementation"),

    A_CALL_KNOWS_NO_TRANSPORT(
        root ->
            noneIn(root + ".api.gateway..")
                .dependOnClassesThat()
                .resideInAnyPackage(
                    root + ".api.http..",
                    root + ".api.callers..",
                    root + ".api.stdio..",
                    root + ".api.wrap..",
                    root + ".api.node.."),
        "api.gateway.NamesHttp"),

    ONLY_COMMANDS_NAME_THE_COMMAND_LINE(
        root ->
            noClasses()
                .that()
                .resideInAnyPackage(
                    root + ".api.gateway..",
                    root + ".api.http..",
                    root + ".api.callers..",
                    root + ".api.operator..",
                    root + ".api.upstream..",
                    root + ".api.mcp..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(root + ".api.cli.."),
        "api.gateway.NamesCli"),

    AXON_INTERNALS_ARE_USED_IN_ONE_PACKAGE(
        root ->
            noClasses()
                .that()
                .resideOutsideOfPackage(root + ".events.journal.axon..")
                .should()
                .dependOnClassesThat()
                .areAnnotatedWith(Internal.class),
        "query.UsesWhatAxonKeepsToItself");

    @SuppressWarnings("ImmutableEnumChecker") // the functions keep no state
    private final Function<String, ArchRule> rule;

    private final String culprit;

    LayerRule(Function<String, ArchRule> rule, String culprit) {
      this.rule = rule;
      this.culprit = culprit;
    }
  }

  @ParameterizedTest
  @EnumSource
  void codeKeepsTheRule(LayerRule layerRule) {
    layerRule.rule.apply(GATEBOOK).check(GATEBOOK_CLASSES);
  }

  @ParameterizedTest
  @EnumSource
  void wrongFixtureBreaksTheRule(LayerRule layerRule) {
    List<String> broken =
        layerRule.rule.apply(FIXTURES).evaluate(FIXTURE_CLASSES).getFailureReport().getDetails();

    assertThat(broken)
        .isNotEmpty()
        .allSatisfy(line -> assertThat(line).contains(FIXTURES + "." + layerRule.culprit));
  }

  @Test
  void fourModulesExist() {
    assertThat(
            GATEBOOK_CLASSES.stream()
                .map(JavaClass::getPackageName)
                .map(name -> Stream.of(name.split("\\.", 3)).skip(1).findFirst().orElse("")))
        .containsOnly("events", "command", "query", "api");
  }

  private static ClassesShould noneIn(String packages) {
    return noClasses().that().resideInAPackage(packages).should();
  }

  private static DescribedPredicate<JavaClass> inAMarkedPackage() {
    return DescribedPredicate.describe(
        "in a package that is @NullMarked",
        type -> type.getPackage().isAnnotatedWith(NullMarked.class));
  }
}
