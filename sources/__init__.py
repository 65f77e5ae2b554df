"""Read groups from outside: samples, pastes, files, clusters."""
