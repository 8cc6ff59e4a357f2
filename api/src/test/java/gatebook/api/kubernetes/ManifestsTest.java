package gatebook.api.kubernetes;

import static gatebook.api.kubernetes.Manifests.ROOT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gatebook.api.kubernetes.Manifests.Installation;
import gatebook.api.node.ServeCommand;
import gatebook.api.node.Version;
import gatebook.api.rules.RulesCheck;
import gatebook.api.rules.RulesFiles;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import gatebook.command.rules.file.RulesFile;
import gatebook.command.rules.file.RulesFile.Reading;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.SecretKeySelector;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraint;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPort;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

/** The manifests are of the schema of Kubernetes, and their parts fit together and the node. */
final class ManifestsTest {

  @Test
  void aMemberThatTheSchemaLacksIsRefused() {
    String service =
        """
        apiVersion: v1
        kind: Service
        spec: {%s: {app.kubernetes.io/name: gatebook}}
        """;

    assertThat(Manifests.parse(service.formatted("selector"))).hasSize(1);
    assertThatThrownBy(() -> Manifests.parse(service.formatted("selectors")))
        .hasMessageContaining("selectors");
  }

  @ParameterizedTest
  @EnumSource
  void everySelectorMatchesTheNodes(Installation installation) throws IOException {
    Manifests manifests = installation.read();
    Map<String, String> labels =
        manifests.nodes().getSpec().getTemplate().getMetadata().getLabels();

    assertThat(manifests.nodes().getSpec().getSelector().getMatchLabels()).isEqualTo(labels);
    assertThat(manifests.of(Service.class))
        .allSatisfy(it -> assertThat(it.getSpec().getSelector()).isEqualTo(labels));
    assertThat(manifests.of(NetworkPolicy.class))
        .allSatisfy(
            it -> assertThat(it.getSpec().getPodSelector().getMatchLabels()).isEqualTo(labels));
    assertThat(manifests.of(PodDisruptionBudget.class))
        .allSatisfy(
            it -> assertThat(it.getSpec().getSelector().getMatchLabels()).isEqualTo(labels));
    assertThat(manifests.pod().getTopologySpreadConstraints())
        .extracting(TopologySpreadConstraint::getLabelSelector)
        .allSatisfy(it -> assertThat(it.getMatchLabels()).isEqualTo(labels));
    assertThat(manifests.of(Service.class))
        .extracting(it -> it.getMetadata().getName())
        .contains(manifests.nodes().getSpec().getServiceName());
    assertThat(manifests.all())
        .extracting(HasMetadata::getKind, it -> it.getMetadata().getName())
        .doesNotHaveDuplicates();
  }

  @Test
  void aBudgetKeepsAllNodesButOne() throws IOException {
    Manifests several = Installation.SEVERAL_NODES.read();

    assertThat(several.of(PodDisruptionBudget.class))
        .extracting(it -> it.getSpec().getMinAvailable().getIntVal())
        .containsExactly(several.nodes().getSpec().getReplicas() - 1);
    assertThat(Installation.ONE_NODE.read().nodes().getSpec().getReplicas()).isOne();
  }

  @ParameterizedTest
  @EnumSource
  void everyPortIsOneOfTheNode(Installation installation) throws IOException {
    Manifests manifests = installation.read();
    CommandLine serve = new CommandLine(new ServeCommand());
    List<String> arguments = manifests.container().getArgs();
    serve.parseArgs(arguments.subList(1, arguments.size()).toArray(String[]::new));
    Map<String, Integer> ports =
        manifests.container().getPorts().stream()
            .collect(Collectors.toMap(ContainerPort::getName, ContainerPort::getContainerPort));

    assertThat(arguments.getFirst()).isEqualTo("serve");
    assertThat(ports)
        .isEqualTo(
            Map.of(
                "callers", serve.getCommandSpec().findOption("--port").<Integer>getValue(),
                "admin", serve.getCommandSpec().findOption("--admin-port").<Integer>getValue()));
    assertThat(manifests.of(Service.class))
        .flatExtracting(it -> it.getSpec().getPorts())
        .extracting(ServicePort::getTargetPort)
        .extracting(IntOrString::getStrVal)
        .isSubsetOf(ports.keySet());
    assertThat(manifests.of(NetworkPolicy.class))
        .flatExtracting(it -> it.getSpec().getIngress())
        .flatExtracting(it -> it.getPorts())
        .extracting(NetworkPolicyPort::getPort)
        .extracting(IntOrString::getStrVal)
        .isSubsetOf(ports.keySet());
    assertThat(probes(manifests))
        .extracting(it -> it.getHttpGet().getPort().getStrVal())
        .containsOnly("admin");
  }

  private static List<Probe> probes(Manifests manifests) {
    return List.of(
        manifests.container().getStartupProbe(),
        manifests.container().getReadinessProbe(),
        manifests.container().getLivenessProbe());
  }

  /** A Service without a port in its name is addressed by its name alone. */
  @ParameterizedTest
  @EnumSource
  void theNodeKnowsTheNamesOfItsServices(Installation installation) throws IOException {
    Manifests manifests = installation.read();

    assertThat(manifests.container().getArgs())
        .containsAll(
            manifests.of(Service.class).stream()
                .filter(it -> !Objects.equals(it.getSpec().getClusterIP(), "None"))
                .map(it -> it.getMetadata().getName())
                .flatMap(it -> Stream.of("--name=" + it, "--name=" + it + ".$(NAMESPACE).svc"))
                .toList())
        .contains(
            "--name=$(POD_NAME)."
                + manifests.nodes().getSpec().getServiceName()
                + ".$(NAMESPACE).svc");
    assertThat(manifests.container().getEnv())
        .extracting(EnvVar::getName)
        .containsAll(
            manifests.container().getArgs().stream()
                .flatMap(it -> Pattern.compile("\\$\\((\\w+)\\)").matcher(it).results())
                .map(it -> it.group(1))
                .toList());
  }

  @ParameterizedTest
  @EnumSource
  void everyFileOfTheNodeIsMounted(Installation installation) throws IOException {
    Manifests manifests = installation.read();
    Map<String, String> mounted =
        manifests.container().getVolumeMounts().stream()
            .collect(Collectors.toMap(VolumeMount::getName, VolumeMount::getMountPath));
    Map<String, Volume> volumes =
        manifests.pod().getVolumes().stream().collect(Collectors.toMap(Volume::getName, it -> it));

    assertThat(mounted.keySet())
        .isEqualTo(
            Stream.concat(
                    volumes.keySet().stream(),
                    manifests.nodes().getSpec().getVolumeClaimTemplates().stream()
                        .map(it -> it.getMetadata().getName()))
                .collect(Collectors.toSet()));
    assertThat(volume(volumes, "rules").getConfigMap().getName())
        .isEqualTo(manifests.rules().getMetadata().getName());
    assertThat(manifests.rules().getData())
        .containsKey(below(mounted, "rules", manifests.option("--config")));
    assertThat(documentedSecrets())
        .contains(
            volume(volumes, "tls").getSecret().getSecretName()
                + " "
                + below(mounted, "tls", manifests.option("--tls-cert")),
            volume(volumes, "tls").getSecret().getSecretName()
                + " "
                + below(mounted, "tls", manifests.option("--tls-key")));
    assertThat(below(mounted, "data", manifests.variable("GATEBOOK_DATA"))).isNotEmpty();
  }

  private static Volume volume(Map<String, Volume> volumes, String name) {
    return Objects.requireNonNull(volumes.get(name));
  }

  /** The path of a file below the place where a volume is mounted. */
  private static String below(Map<String, String> mounted, String volume, String file) {
    Path place = Path.of(Objects.requireNonNull(mounted.get(volume)));
    assertThat(Path.of(file)).startsWithRaw(place);
    return place.relativize(Path.of(file)).toString();
  }

  @ParameterizedTest
  @EnumSource
  void everySecretIsMadeByADocumentedCommand(Installation installation) throws IOException {
    Set<String> documented = documentedSecrets();

    assertThat(
            installation.read().container().getEnv().stream()
                .filter(it -> it.getValueFrom() != null)
                .map(it -> it.getValueFrom().getSecretKeyRef())
                .filter(Objects::nonNull)
                .map(ManifestsTest::nameAndKey))
        .isNotEmpty()
        .allSatisfy(it -> assertThat(documented).contains(it));
  }

  private static String nameAndKey(SecretKeySelector selector) {
    return selector.getName() + " " + selector.getKey();
  }

  /** Each with its name and one of its keys. */
  private static Set<String> documentedSecrets() throws IOException {
    Set<String> found = new TreeSet<>();
    String text = Files.readString(ROOT.resolve("api/OPERATING.md")).replaceAll("\\\\\\n\\s*", "");
    for (MatchResult command :
        Pattern.compile("kubectl create secret (tls|generic) (\\S+) (.*)")
            .matcher(text)
            .results()
            .toList()) {
      if (command.group(1).equals("tls")) {
        found.addAll(List.of(command.group(2) + " tls.crt", command.group(2) + " tls.key"));
      }
      Pattern.compile("--from-(?:literal|file)=([\\w-]+)=")
          .matcher(command.group(3))
          .results()
          .forEach(it -> found.add(command.group(2) + " " + it.group(1)));
    }
    return found;
  }

  /** The profile {@code restricted} of Kubernetes, and a root file system that is read only. */
  @ParameterizedTest
  @EnumSource
  void aNodeHasNoPrivileges(Installation installation) throws IOException {
    Manifests manifests = installation.read();
    PodSecurityContext pod = manifests.pod().getSecurityContext();
    SecurityContext container = manifests.container().getSecurityContext();

    assertThat(pod.getRunAsNonRoot()).isTrue();
    assertThat(pod.getRunAsUser()).isEqualTo(pod.getFsGroup()).isPositive();
    assertThat(pod.getFsGroupChangePolicy()).isEqualTo("OnRootMismatch");
    assertThat(pod.getSeccompProfile().getType()).isEqualTo("RuntimeDefault");
    assertThat(container.getAllowPrivilegeEscalation()).isFalse();
    assertThat(container.getReadOnlyRootFilesystem()).isTrue();
    assertThat(container.getCapabilities().getDrop()).containsExactly("ALL");
    assertThat(container.getCapabilities().getAdd()).isEmpty();
    assertThat(manifests.pod().getAutomountServiceAccountToken()).isFalse();
    assertThat(manifests.pod().getEnableServiceLinks()).isFalse();
    assertThat(manifests.container().getVolumeMounts())
        .filteredOn(it -> !Boolean.TRUE.equals(it.getReadOnly()))
        .extracting(VolumeMount::getName)
        .containsExactlyInAnyOrder("data", "tmp");
  }

  /** The launcher gives the heap of a server a quarter of this much memory at most. */
  @ParameterizedTest
  @EnumSource
  void theHeapIsAQuarterOfTheMemory(Installation installation) throws IOException {
    MatchResult launcher =
        Pattern.compile("serve\\) .*-XX:MaxRAM=(\\d+)m")
            .matcher(Files.readString(ROOT.resolve("gatebook")))
            .results()
            .findFirst()
            .orElseThrow();

    assertThat(installation.read().container().getResources().getLimits())
        .containsEntry("memory", new Quantity(launcher.group(1), "Mi"));
  }

  @ParameterizedTest
  @EnumSource
  void theImageIsOfThisVersion(Installation installation) throws IOException {
    assertThat(installation.read().container().getImage()).endsWith("/gatebook:" + Version.text());
  }

  @ParameterizedTest
  @EnumSource
  void aNodeHasTimeToStop(Installation installation, @TempDir Path folder) throws IOException {
    GatewayLimits limits = ((Reading.Valid) rules(folder).read()).rules().limits();
    long millis =
        limits.get(Limit.STOP_DRAIN_MILLIS) + limits.get(Limit.STOP_GRACE_MILLIS_MAX) + 10_000;

    assertThat(
            installation
                .read()
                .nodes()
                .getSpec()
                .getTemplate()
                .getSpec()
                .getTerminationGracePeriodSeconds())
        .isGreaterThanOrEqualTo(millis / 1_000);
  }

  @Test
  void theRulesHaveNoMistakes(@TempDir Path folder) throws IOException {
    RulesFile rules = rules(folder);

    assertThat(RulesCheck.of(rules)).isEqualTo(new RulesCheck(rules.name(), List.of(), List.of()));
  }

  private static RulesFile rules(Path folder) throws IOException {
    for (var file : Installation.ONE_NODE.read().rules().getData().entrySet()) {
      Files.writeString(folder.resolve(file.getKey()), file.getValue());
    }
    return RulesFiles.at(
        folder.resolve("gatebook.yaml"),
        Map.of(
            "AGENT_TOKEN_HASH", "sha256:" + "a".repeat(64),
            "OPERATOR_TOKEN_HASH", "sha256:" + "b".repeat(64)));
  }
}
