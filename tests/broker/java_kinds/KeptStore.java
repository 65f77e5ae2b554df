import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.internals.InMemoryKeyValueStore;

/**
 * A store that counts as kept on disk, so that Streams keeps the process id and the offsets of its
 * changelog there. The records are in memory: nobody reads them, and RocksDB would be 70 MB.
 */
final class KeptStore extends InMemoryKeyValueStore {
    private KeptStore(String name) {
        super(name);
    }

    @Override public boolean persistent() {
        return true;
    }

    static KeyValueBytesStoreSupplier named(String name) {
        return new KeyValueBytesStoreSupplier() {
            @Override public String name() {
                return name;
            }

            @Override public KeyValueStore<Bytes, byte[]> get() {
                return new KeptStore(name);
            }

            @Override public String metricsScope() {
                return "kept";
            }
        };
    }
}
