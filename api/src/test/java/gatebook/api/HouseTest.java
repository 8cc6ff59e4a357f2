package gatebook.api;

import static com.tngtech.archunit.lang.conditions.ArchConditions.be;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
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
 * The borders between and inside the four modules; each one is kept by our house and seen broken in
 * the wrong house of {@code fixtures.wrong}.
 */
final class HouseTest {

  private static final String OURS = "gatebook";
  private static final String WRONG = "fixtures.wrong";

  private static final JavaClasses OUR_HOUSE =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages(OURS);
  private static final JavaClasses WRONG_HOUSE = new ClassFileImporter().importPackages(WRONG);

  /**
   * A rule about the house below a root package, and the class of the wrong house that breaks it.
   */
  enum Border {
    EVENTS_NAMES_NONE_OF_OURS(
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

    WHAT_AXON_KEEPS_TO_ITSELF_IS_USED_IN_ONE_PACKAGE(
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

    Border(Function<String, ArchRule> rule, String culprit) {
      this.rule = rule;
      this.culprit = culprit;
    }
  }

  @ParameterizedTest
  @EnumSource
  void ourHouseKeepsTheBorder(Border border) {
    border.rule.apply(OURS).check(OUR_HOUSE);
  }

  @ParameterizedTest
  @EnumSource
  void theBorderIsSeenBrokenInTheWrongHouse(Border border) {
    List<String> broken =
        border.rule.apply(WRONG).evaluate(WRONG_HOUSE).getFailureReport().getDetails();

    assertThat(broken)
        .isNotEmpty()
        .allSatisfy(line -> assertThat(line).contains(WRONG + "." + border.culprit));
  }

  @Test
  void ourHouseHasItsFourParts() {
    assertThat(
            OUR_HOUSE.stream()
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
