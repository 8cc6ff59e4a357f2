package gatebook.api.kubernetes;

import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.yaml.snakeyaml.Yaml;

/**
 * The manifests of an installation: those that both have, and its own. Members that the schema of
 * Kubernetes does not know are refused.
 */
record Manifests(List<HasMetadata> all) {

  static final Path ROOT = Path.of(Objects.requireNonNull(System.getProperty("gatebook.root")));

  private static final Path FOLDER = ROOT.resolve("api/kubernetes");

  private static final Map<String, Class<? extends HasMetadata>> KINDS =
      Map.of(
          "v1 ConfigMap", ConfigMap.class,
          "v1 Service", Service.class,
          "apps/v1 StatefulSet", StatefulSet.class,
          "networking.k8s.io/v1 NetworkPolicy", NetworkPolicy.class,
          "policy/v1 PodDisruptionBudget", PodDisruptionBudget.class);

  /** The models keep members that they do not know, unless they are read without that. */
  private static final JsonMapper STRICT =
      JsonMapper.builder()
          .annotationIntrospector(
              new JacksonAnnotationIntrospector() {
                private static final long serialVersionUID = 1L;

                @Override
                public Boolean hasAnySetter(Annotated member) {
                  return false;
                }
              })
          .build();

  /** What one installs: {@code kubectl apply -f api/kubernetes -f api/kubernetes/FOLDER}. */
  enum Installation {
    ONE_NODE("one-node"),
    SEVERAL_NODES("several-nodes");

    private final String folder;

    Installation(String folder) {
      this.folder = folder;
    }

    Manifests read() throws IOException {
      List<HasMetadata> all = new ArrayList<>();
      for (Path directory : List.of(FOLDER, FOLDER.resolve(folder))) {
        try (Stream<Path> files = Files.list(directory)) {
          for (Path file : files.filter(it -> it.toString().endsWith(".yaml")).sorted().toList()) {
            all.addAll(parse(Files.readString(file)));
          }
        }
      }
      return new Manifests(List.copyOf(all));
    }
  }

  static List<HasMetadata> parse(String yaml) {
    List<HasMetadata> documents = new ArrayList<>();
    new Yaml()
        .loadAll(yaml)
        .forEach(document -> {
          Map<?, ?> members = (Map<?, ?>) document;
          documents.add(
              STRICT.convertValue(
                  members,
                  Objects.requireNonNull(
                      KINDS.get(members.get("apiVersion") + " " + members.get("kind")))));
        });
    return documents;
  }

  <T extends HasMetadata> List<T> of(Class<T> kind) {
    return all.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  StatefulSet nodes() {
    return of(StatefulSet.class).getFirst();
  }

  PodSpec pod() {
    return nodes().getSpec().getTemplate().getSpec();
  }

  Container container() {
    return pod().getContainers().getFirst();
  }

  ConfigMap rules() {
    return of(ConfigMap.class).getFirst();
  }

  /** The value of an option in the arguments of the node. */
  String option(String name) {
    return container().getArgs().stream()
        .filter(it -> it.startsWith(name + "="))
        .map(it -> it.substring(name.length() + 1))
        .findFirst()
        .orElseThrow(() -> new AssertionError("there is no " + name));
  }

  /** The value of a variable of the environment. */
  String variable(String name) {
    return container().getEnv().stream()
        .filter(it -> it.getName().equals(name))
        .map(EnvVar::getValue)
        .findFirst()
        .orElseThrow(() -> new AssertionError("there is no " + name));
  }
}
