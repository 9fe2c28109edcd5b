//! Servers over ENet.
