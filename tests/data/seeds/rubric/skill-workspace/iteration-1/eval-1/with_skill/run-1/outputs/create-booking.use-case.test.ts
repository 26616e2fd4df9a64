it('confirms a booking', () => {
  expect(createBookingFixture().status).toBe('confirmed')
})
